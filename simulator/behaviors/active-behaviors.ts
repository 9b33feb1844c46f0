/** The behaviors that are switched on in one simulator. */
import type { OperationKey } from '../../src/contract/index.ts';
import type { Hooks } from '../deviations/types.ts';
import { type Behavior, type BehaviorScope, parseBehavior, startBehavior } from './behaviors.ts';
import { combineHooks } from './combine-hooks.ts';

/** A behavior that is switched on. */
export interface ActiveBehavior extends BehaviorScope {
  /** Unique within a simulator, e.g. `behavior-1`. */
  readonly id: string;
  readonly behavior: Behavior;
  /** The number of requests that it was applied to. */
  readonly applied: number;
}

type Entry = Omit<ActiveBehavior, 'applied'> & { readonly hooks: Hooks; applied: number };

const NONE: Hooks = {};

export class ActiveBehaviors {
  #entries: Entry[] = [];
  #lastId = 0;
  /** The combination of behaviors without a scope, which most requests use. */
  #combined: Hooks | undefined = NONE;

  /** Switches a behavior on; it changes what earlier ones left. @throws if it names an unknown fault or oddity */
  async add(behavior: Behavior, scope: BehaviorScope = {}): Promise<ActiveBehavior> {
    const entry = await this.#start(behavior, scope);
    this.#replace([...this.#entries, entry]);
    return describe(entry);
  }

  /** Replaces all behaviors at once. @throws if one names an unknown fault or oddity */
  async set(behaviors: readonly Behavior[]): Promise<void> {
    this.#replace(await Promise.all(behaviors.map((behavior) => this.#start(behavior, {}))));
  }

  /** Switches a behavior off. Returns whether it was on. */
  remove(id: string): boolean {
    const others = this.#entries.filter((entry) => entry.id !== id);
    const found = others.length < this.#entries.length;
    this.#replace(others);
    return found;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  list(): readonly ActiveBehavior[] {
    return this.#entries.map(describe);
  }

  /** The combined hooks for one request, which counts as one application of each. */
  hooksFor(operation: OperationKey | undefined): Hooks {
    if (this.#entries.length === 0) return NONE;
    const applied = this.#entries
      .filter((entry) => entry.operation === undefined || entry.operation === operation)
      // One response answers a request; the next one waits for its turn.
      .filter(({ behavior }, at, all) => !('response' in behavior) || all.findIndex(isResponse) === at);
    for (const entry of applied) entry.applied += 1;
    if (this.#combined) return this.#combined;
    const left = this.#entries.filter(({ times = Number.POSITIVE_INFINITY, applied: count }) => count < times);
    if (left.length < this.#entries.length) this.#replace(left);
    return combineHooks(applied.map(({ hooks }) => hooks));
  }

  async #start(given: Behavior, givenScope: BehaviorScope): Promise<Entry> {
    const { behavior, scope } = parseBehavior({ ...given, ...givenScope });
    const hooks = await startBehavior(behavior);
    this.#lastId += 1;
    return { id: `behavior-${this.#lastId}`, behavior, hooks, ...scope, applied: 0 };
  }

  #replace(entries: Entry[]): void {
    this.#entries = entries;
    const isScoped = entries.some(({ operation, times }) => operation !== undefined || times !== undefined);
    this.#combined = isScoped ? undefined : combineHooks(entries.map(({ hooks }) => hooks));
  }
}

const isResponse = ({ behavior }: Pick<Entry, 'behavior'>): boolean => 'response' in behavior;

const describe = ({ hooks: _, ...entry }: Entry): ActiveBehavior => ({ ...entry });
