/** Finds the values in a plain text that is the whole response, such as `job 17 is done`. */
import type { Place } from './places.ts';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const LINE = /^([\p{L}][\p{L}\d_.-]*[ \t]*[=:][ \t]*)\S/gmu;

/** The values of lines such as `JOB=17`. */
export function linePlaces(texts: readonly string[]): Place[] {
  const keys = new Set([...(texts[0] ?? '').matchAll(LINE)].map(([, key = '']) => key));
  return [...keys].map((key): Place => {
    const match = `${escaped(key)}([^\\r\\n]+)`;
    const cells = texts.map((text) => new RegExp(match).exec(text)?.[1]);
    return { selector: '@', names: [key.replace(/[\s=:]+$/, '')], cells, isList: false, match };
  });
}

/** The id that was asked for and the state behind it, or a text that is nothing but the state; empty for any other text. */
export function textPlaces(texts: readonly string[], asked: readonly (string | undefined)[]): Place[] {
  const [first = ''] = texts;
  const [id] = asked;
  const place = (name: string, match: string | undefined): Place => ({
    selector: '@',
    names: [name],
    cells: texts.map((text) => (match === undefined ? text.trim() : new RegExp(match).exec(text)?.[1])),
    isList: false,
    ...(match !== undefined && { match }),
  });
  if (texts.every((text) => /^\s*[\p{L}\d_-]+(?: [\p{L}\d_-]+)?\s*$/u.test(text)) && !first.includes(id ?? '\n'))
    return [place('state', /^\s|\s$/.test(first) ? '(\\S.*?)\\s*$' : undefined)];
  const [, before, between] =
    id === undefined
      ? []
      : (new RegExp(`^([^\\n]{0,40}?)${escaped(id)}(\\s*(?:[:=,;|-]|is|ist|has|status|state)[:= ]*)`, 'i').exec(
          first,
        ) ?? []);
  if (before === undefined || between === undefined) return [];
  const link = escaped(between);
  return [
    place('jobId', `^${escaped(before)}(\\S+?)${link}`),
    place('state', `^${escaped(before)}\\S+?${link}(.+?)\\s*$`),
  ];
}
