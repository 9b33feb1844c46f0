/**
 * As much of vitest as the cases of judges need, without its start-up of a second: mutants are tried by the hundred in one
 * process. `run` runs what was defined since it ran last.
 */
import { deepStrictEqual } from 'node:assert/strict';

/** Throws, or rejects, when it fails. */
type Body = (...args: readonly unknown[]) => unknown;

let defined: (() => unknown)[] = [];

export const describe = Object.assign((_name: string, body: Body) => void body(), {
  each: (rows: readonly unknown[]) => (_name: string, body: Body) => {
    for (const row of rows) body(...[row].flat());
  },
});
export const test = Object.assign((_name: string, body: Body) => void defined.push(() => body()), {
  each: (rows: readonly unknown[]) => (_name: string, body: Body) => {
    for (const row of rows) defined.push(() => (Array.isArray(row) ? body(...row) : body(row)));
  },
});

/** Whether every test holds; stops at the first that does not. */
export async function runTests(): Promise<boolean> {
  const tests = defined;
  defined = [];
  try {
    for (const each of tests) await each();
    return true;
  } catch {
    return false;
  }
}

class Matching {
  readonly fits: (value: unknown) => boolean;
  constructor(fits: (value: unknown) => boolean) {
    this.fits = fits;
  }
}

/** Whether a value is as expected; `part`: objects may hold more. */
function fits(value: unknown, wanted: unknown, part: boolean): boolean {
  if (wanted instanceof Matching) return wanted.fits(value);
  if (typeof wanted !== 'object' || wanted === null || wanted instanceof Map || wanted instanceof Set)
    return isDeeplyEqual(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  const [has, wants] = [value, wanted].map((each) => each as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  if (Array.isArray(wanted) && (value as unknown[]).length !== wanted.length) return false;
  const names = part ? Object.keys(wants) : [...new Set([...Object.keys(has), ...Object.keys(wants)])];
  return names.every((name) => fits(has[name], wants[name], part));
}

function isDeeplyEqual(value: unknown, wanted: unknown): boolean {
  try {
    deepStrictEqual(value, wanted);
    return true;
  } catch {
    return false;
  }
}

const throws = (call: () => unknown, says?: RegExp): boolean => {
  try {
    call();
    return false;
  } catch (error) {
    return says?.test(String(error)) ?? true;
  }
};

const MATCHERS: Record<string, (value: never, ...wanted: never[]) => boolean> = {
  toBe: (value: unknown, wanted: unknown) => Object.is(value, wanted),
  toEqual: (value: unknown, wanted: unknown) => fits(value, wanted, false),
  toMatchObject: (value: unknown, wanted: unknown) => fits(value, wanted, true),
  toHaveProperty: (value: object, name: string) => name in value,
  toBeGreaterThan: (value: number, than: number) => value > than,
  toBeLessThan: (value: number, than: number) => value < than,
  toBeLessThanOrEqual: (value: number, than: number) => value <= than,
  toBeUndefined: (value: unknown) => value === undefined,
  toBeDefined: (value: unknown) => value !== undefined,
  toBeCloseTo: (value: number, wanted: number, digits = 2) => Math.abs(value - wanted) < 0.5 * 10 ** -digits,
  toContain: (value: string | Iterable<unknown>, part: never) =>
    typeof value === 'string' ? value.includes(part) : [...value].includes(part),
  toHaveLength: (value: readonly unknown[], length: number) => value.length === length,
  toMatch: (value: string, pattern: RegExp | string) =>
    typeof pattern === 'string' ? value.includes(pattern) : pattern.test(value),
  toThrow: (call: () => unknown, says?: RegExp) => throws(call, says),
};

function matchers(value: unknown, isWanted: boolean): Record<string, (...wanted: unknown[]) => void> {
  return Object.fromEntries(
    Object.entries(MATCHERS).map(([name, holds]) => [
      name,
      (...wanted: unknown[]) => {
        if (holds(value as never, ...(wanted as never[])) !== isWanted) throw new Error(name);
      },
    ]),
  );
}

export const expect = Object.assign(
  (value: unknown) => Object.assign(matchers(value, true), { not: matchers(value, false) }),
  {
    stringContaining: (part: string) => new Matching((value) => typeof value === 'string' && value.includes(part)),
    stringMatching: (pattern: RegExp) => new Matching((value) => typeof value === 'string' && pattern.test(value)),
    any: (type: new () => unknown) => new Matching((value) => Object(value) instanceof type),
    objectContaining: (part: object) => new Matching((value) => fits(value, part, true)),
    arrayContaining: (parts: readonly unknown[]) =>
      new Matching(
        (value) => Array.isArray(value) && parts.every((part) => value.some((each) => fits(each, part, false))),
      ),
    anything: () => new Matching((value) => value !== undefined && value !== null),
  },
);
