/** Combines the hooks of several behaviors into those of one. */
import type { Hooks, Send } from '../deviations/types.ts';

/** Joins two hooks of one kind, of which either may be absent. */
const join = <H>(first: H | undefined, second: H | undefined, both: (first: H, second: H) => H): H | undefined =>
  first && second ? both(first, second) : (second ?? first);

type Hook<K extends keyof Hooks> = NonNullable<Hooks[K]>;

/** Applies `second` to what `first` left. */
function combine(first: Hooks, second: Hooks): Hooks {
  const both: { [K in keyof Hooks]: Hooks[K] | undefined } = {
    before: join<Hook<'before'>>(
      first.before,
      second.before,
      (f, s) =>
        (...given) =>
          f(...given) ?? s(...given),
    ),
    route: join<Hook<'route'>>(first.route, second.route, (f, s) => (request, route) => s(request, (r) => f(r, route))),
    read: join<Hook<'read'>>(
      first.read,
      second.read,
      (f, s) => (request, read, context) => s(request, (r) => f(r, read, context), context),
    ),
    query: join<Hook<'query'>>(first.query, second.query, (f, s) => (query, context) => s(f(query, context), context)),
    answer: join<Hook<'answer'>>(
      first.answer,
      second.answer,
      (f, s) => (answer, context) => s(f(answer, context), context),
    ),
    reply: join<Hook<'reply'>>(first.reply, second.reply, (f, s) => (reply, context) => s(f(reply, context), context)),
    finish: join<Hook<'finish'>>(
      first.finish,
      second.finish,
      (f, s) => (reply, context) => s(f(reply, context), context),
    ),
    encode: join<Hook<'encode'>>(first.encode, second.encode, (f, s) => (reply) => s(f(reply))),
    send: join<Hook<'send'>>(first.send, second.send, (f, s) => (response, reply, send) => {
      const sendFirst: Send = (target, changed) => f(target, changed, send);
      return s(response, reply, sendFirst);
    }),
  };
  return Object.fromEntries(Object.entries(both).filter(([, hook]) => hook !== undefined));
}

/** Combines the hooks of several behaviors: each changes what those before it left. */
export const combineHooks = (hooks: readonly Hooks[]): Hooks => hooks.reduce(combine, {});
