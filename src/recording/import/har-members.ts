/** Reads members of HAR entries, which exporters write in different types. */
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { isToken } from '../../profile/http-text.ts';
import { isPlainObject, type PlainObject, textAt } from '../../profile/plain-object.ts';

/** A number, also one that the exporter wrote as a text. */
export const numberFrom = (value: PlainObject, name: string): number | undefined => {
  const found = Number(value[name] ?? Number.NaN);
  return Number.isFinite(found) ? found : undefined;
};

/** Header lines; browsers join the lines of one name with line breaks. HTTP/2 pseudo-headers (`:path`) are left out. */
export function harHeaderLines(given: unknown): [string, string][] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((each): [string, string][] => {
    const name = isPlainObject(each) ? textAt(each, 'name')?.trim() : undefined;
    if (name === undefined || !isToken(name)) return [];
    return String((each as PlainObject).value ?? '')
      .split(/[\0\r\n]+/)
      .map((value) => [name, value.trim()]);
  });
}

/** Header lines without those of some names, given in lower case. */
export const withoutNames = (lines: HeaderLines, ...names: string[]): HeaderLines =>
  lines.filter(([name]) => !names.includes(name.toLowerCase()));
