/** The parameters of a request, and which of them a dialect asks for. */
export class TrackedQuery extends URLSearchParams {
  /** The names that were asked for. */
  readonly asked = new Set<string>();
  /** The names of which the dialect reads one value. */
  readonly single = new Set<string>();

  override get(name: string): string | null {
    this.asked.add(name);
    this.single.add(name);
    return super.get(name);
  }
  override getAll(name: string): string[] {
    this.asked.add(name);
    return super.getAll(name);
  }
  override has(name: string, value?: string): boolean {
    this.asked.add(name);
    return value === undefined ? super.has(name) : super.has(name, value);
  }
}
