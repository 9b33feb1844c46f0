/** Combines the hooks of several behaviors into those of one. */
import type { Hooks } from '../deviations/types.ts';

type Hook<K extends keyof Hooks> = NonNullable<Hooks[K]>;

/** Passes what one hook returns, and its further arguments, to another. */
const pipe =
  <T, A extends readonly unknown[]>(first: (value: T, ...more: A) => T, second: (value: T, ...more: A) => T) =>
  (value: T, ...more: A): T =>
    second(first(value, ...more), ...more);

/** Applies the second hook of a kind to what the first one left. */
const COMBINED: { readonly [K in keyof Hooks]-?: (first: Hook<K>, second: Hook<K>) => Hook<K> } = {
  before:
    (first, second) =>
    (...given) =>
      first(...given) ?? second(...given),
  route: (first, second) => (request, route) => second(request, (each) => first(each, route)),
  read: (first, second) => (request, read, context) => second(request, (each) => first(each, read, context), context),
  query: pipe,
  answer: pipe,
  reply: pipe,
  finish: pipe,
  encode: pipe,
  send: (first, second) => (response, reply, send) =>
    second(response, reply, (target, changed) => first(target, changed, send)),
};

/** Combines the hooks of several behaviors: each changes what those before it left. */
export function combineHooks(hooks: readonly Hooks[]): Hooks {
  const kinds = Object.entries(COMBINED) as [keyof Hooks, (first: unknown, second: unknown) => unknown][];
  return Object.fromEntries(
    kinds.flatMap(([kind, combine]) => {
      const own: unknown[] = hooks.flatMap((each) => each[kind] ?? []);
      return own.length > 0 ? [[kind, own.reduce(combine)]] : [];
    }),
  );
}
