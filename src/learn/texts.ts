/** Finds the values in a plain text that is the whole response, such as `job 17 is done`. */
import type { Place } from './places.ts';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

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
