/** Finds members of responses that look like an opening that the profile does not fill. */
import {
  FIELDS,
  type Field,
  listOperations,
  OPENINGS,
  type OperationKey,
  placeOfField,
} from '../../../contract/index.ts';
import { quoted } from '../../../format-values.ts';
import { isAbsent, isFilled } from '../../../profile/filled-openings.ts';
import { joinWords } from '../../../profile/openapi/name-words.ts';
import { FIELD_WORDS, matchScore } from '../../../profile/openapi/vocabulary.ts';
import type { Profile, ResponseProfile } from '../../../profile/schema.ts';
import { compileSelector } from '../../../profile/selector.ts';
import { rulesNeeding } from '../openings.ts';
import { readResponses } from './cells.ts';
import type { Received, Remark } from './types.ts';

interface Member {
  readonly selector: string;
  readonly name: string;
  readonly value: unknown;
}

const MAX_DEPTH = 3;
const HEAD = { status: 200, headers: [] };
const COUNT =
  /^(total|count|size|number|num)(of)?(count|results?|items?|rows?|records?|elements?|products?|hits)?$|^(items?|rows?|records?|results?)(count|total)$/;

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** The single values in objects; an XML element is a list of one, and its text is a member. */
function membersIn(node: unknown, selector: string, depth = 0): Member[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node) || depth > MAX_DEPTH) return [];
  return Object.entries(node).flatMap(([name, child]): Member[] => {
    const at = /^[A-Za-z_]\w*$/.test(name) ? `${selector}.${name}` : `${selector}['${name.replace(/[\\']/g, '\\$&')}']`;
    if (isScalar(child)) return [{ selector: at, name, value: child }];
    const only: unknown = Array.isArray(child) && child.length === 1 ? child[0] : undefined;
    if (only !== undefined && typeof only === 'object') {
      const text = (only as Record<string, unknown>)['#text'];
      if (isScalar(text)) return [{ selector: `${at}[0]`, name, value: text }];
      return membersIn(only, `${at}[0]`, depth + 1);
    }
    return membersIn(child, at, depth + 1);
  });
}

/** Whether a value can be of the field's kind. */
function isOfKind(field: Field, value: unknown): boolean {
  const text = String(value);
  switch (FIELDS[field].kind) {
    case 'upc':
      return /^[\d -]{8,17}$/.test(text);
    case 'date':
      return (
        /^\d{4}-?\d{2}-?\d{2}|^\d{1,2}[./-]\d{1,2}[./-]\d{4}$|^\d{4}-?W\d{2}/.test(text) || /^\d{10,13}$/.test(text)
      );
    case 'money':
    case 'percent':
      return /\d/.test(text);
    default:
      return text.trim() !== '';
  }
}

/** Every selector of a response, so that bound members are not proposed. */
const boundIn = (response: ResponseProfile | undefined): string =>
  JSON.stringify([response?.fields, response?.counts, response?.echoes, response?.paging, response?.refusal]) ?? '';

function rowsOf(response: ResponseProfile | undefined, document: unknown): readonly unknown[] {
  if (typeof response?.rows !== 'string' || response.shape) return [];
  try {
    const nodes = compileSelector(response.rows).select(document, HEAD);
    return nodes.length === 1 && Array.isArray(nodes[0]) ? nodes[0] : nodes;
  } catch {
    return [];
  }
}

function inOperation(profile: Profile, operation: OperationKey, document: unknown): Remark[] {
  const response = profile.data.operations?.[operation]?.response;
  const bound = boundIn(response);
  const [row] = rowsOf(response, document);
  const isBound = ({ selector }: Member) => bound.includes(JSON.stringify(selector).slice(1, -1));
  const inRow = membersIn(row, '@').filter((each) => !isBound(each));
  const once = membersIn(document, '$').filter((each) => !isBound(each));
  const propose = (id: (typeof OPENINGS)[number], { selector, value }: Member, key: string, what: string): Remark => ({
    kind: 'unbound',
    path: ['operations', operation, 'response', ...key.split('.')],
    sentence: `${selector} has the value ${quoted(String(value))} and looks like ${what}; bind it if it is`,
    rules: rulesNeeding(id.id),
  });
  return OPENINGS.flatMap((opening): Remark[] => {
    const { part } = opening;
    if (opening.operation !== operation || !part || isFilled(profile, opening.id) || isAbsent(profile, opening.id))
      return [];
    if (rulesNeeding(opening.id).length === 0) return [];
    if (part.kind === 'counts') {
      const total = once.find(({ name, value }) => COUNT.test(joinWords(name)) && Number.isInteger(value));
      return total && listOperations().includes(operation)
        ? [propose(opening, total, 'counts', 'a count of rows')]
        : [];
    }
    if (part.kind !== 'field') return [];
    const place = placeOfField(operation, part.field);
    const candidates = place === 'response' ? once : place === 'row' ? inRow : [...inRow, ...once];
    const words = FIELD_WORDS[part.field];
    const scored = candidates
      .map((member) => ({ member, score: matchScore(words, joinWords(member.name)) }))
      .filter(({ member, score }) => score > 0 && isOfKind(part.field, member.value))
      .sort((x, y) => y.score - x.score);
    return scored[0] ? [propose(opening, scored[0].member, `fields.${part.field}`, FIELDS[part.field].means)] : [];
  });
}

/** Proposes bindings for openings of the operations whose responses were read. */
export function findUnbound(profile: Profile, received: readonly Received[]): Remark[] {
  const documents = new Map<OperationKey, unknown>();
  for (const { operation, document, rows } of readResponses(received))
    if (!documents.has(operation) || rows.length > 0) documents.set(operation, documents.get(operation) ?? document);
  return [...documents].flatMap(([operation, document]) => inOperation(profile, operation, document));
}
