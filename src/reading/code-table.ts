/** The meanings of codes: one response holds a code, a table its meaning. */
import type { OperationKey } from '../contract/index.ts';
import { type Cell, UnknownCode } from './types.ts';

/** A table of codes. */
export interface CodeTable {
  /** The meaning of each code; undefined for a code with several meanings. */
  readonly meanings: ReadonlyMap<string, string | undefined>;
  /** The same for numeric codes without their leading zeros; undefined if several codes differ in these only. */
  readonly byNumber: ReadonlyMap<string, string | undefined>;
  /** The code of each meaning; undefined for a meaning with several codes. */
  readonly codes: ReadonlyMap<string, string | undefined>;
  /** Why the table was not read. */
  readonly unread?: string;
  /** Whether it was read to its end. */
  readonly complete: boolean;
  /** The operation that lists it; absent: the profile does. */
  readonly from?: OperationKey;
  /** Its as-of dates. */
  readonly asOf: readonly Cell[];
}

/** Tables by their names in the profile. */
export type CodeTables = ReadonlyMap<string, CodeTable>;

const isNumeric = (code: string): boolean => /^\d{1,40}$/.test(code);
const withoutZeros = (code: string): string => code.replace(/^0+(?=\d)/, '');

/** Creates a table. A code that occurs with two meanings has none. */
export function codeTableOf(
  entries: Iterable<readonly [code: string, meaning: string]>,
  state: Omit<CodeTable, 'meanings' | 'byNumber' | 'codes'>,
): CodeTable {
  const meanings = new Map<string, string | undefined>();
  const byNumber = new Map<string, string | undefined>();
  const add = (map: Map<string, string | undefined>, code: string, meaning: string | undefined) =>
    map.set(code, map.has(code) && map.get(code) !== meaning ? undefined : meaning);
  for (const [code, meaning] of entries) add(meanings, code.trim(), meaning);
  for (const [code, meaning] of meanings) if (isNumeric(code)) add(byNumber, withoutZeros(code), meaning);
  const codes = new Map<string, string | undefined>();
  for (const [code, meaning] of meanings) if (meaning !== undefined) add(codes, meaning, code);
  return { meanings, byNumber, codes, ...state };
}

/** The table of a response that was not read. */
export const unreadTable = (unread: string, from: OperationKey): CodeTable =>
  codeTableOf([], { unread, complete: false, from, asOf: [] });

/**
 * The meaning of a code: a text, or a number, which has no leading zeros.
 * @example meaningOf(codeTableOf([['007', 'Tea']], …), 7) // 'Tea'
 */
export function meaningOf(table: CodeTable, cell: string | number): string | UnknownCode {
  const code = String(cell).trim();
  const isExact = table.meanings.has(code);
  const isListed = isExact || (isNumeric(code) && table.byNumber.has(withoutZeros(code)));
  const meaning = isExact ? table.meanings.get(code) : table.byNumber.get(withoutZeros(code));
  if (meaning !== undefined) return meaning;
  if (table.unread !== undefined) return new UnknownCode(cell, `its table was not read: ${table.unread}`, false);
  if (isListed) return new UnknownCode(cell, 'its table lists the code with several meanings', false);
  return new UnknownCode(cell, 'its table does not list this code', true);
}
