/** A list that is serialised row by row. */
export class Rows {
  readonly rows: Iterable<unknown>;
  constructor(each: Iterable<unknown>) {
    this.rows = each;
  }
}
