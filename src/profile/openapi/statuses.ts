/** Determines the meanings of the look-up's described error statuses (section 7 shows none). */

import { objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { quoteText } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';

const MEANINGS = {
  unknown: {
    statuses: ['404', '410'],
    pattern: /not (be )?found|unknown|no (such )?product|does ?n.t exist|does not exist/i,
    what: 'an unknown UPC',
  },
  malformed: {
    statuses: ['400', '422'],
    pattern:
      /malformed|(invalid|bad|wrong|illegal)\b.*\b(upc|gtin|code|id)\b|\b(upc|gtin)\b.*(invalid|digits|format)|digits/i,
    what: 'a malformed UPC',
  },
} as const;

/**
 * Drafts `statuses` of the look-up if a description explains its 404 or 400. A status without such an explanation
 * is left open: it may have another meaning.
 */
export function draftStatuses(
  description: Description,
  { key, node }: DescribedOperation,
  draftNotes: DraftNotes,
): PlainObject {
  if (!key.endsWith('{upc}')) return {};
  const described = new Map(
    Object.entries(objectAt(node, 'responses')).map(([status, response]) => [
      status,
      textAt(deref(description, response).node, 'description') ?? '',
    ]),
  );
  const drafted: Record<string, number[]> = {};
  for (const [meaning, { statuses, pattern, what }] of Object.entries(MEANINGS)) {
    const present = statuses.filter((status) => described.has(status));
    const matching = present.filter((status) => pattern.test(described.get(status) ?? ''));
    const at = ['operations', key, 'statuses', meaning];
    if (matching.length > 0) {
      // A service may treat a malformed UPC as an unknown one.
      const also = meaning === 'malformed' ? MEANINGS.unknown.statuses.filter((status) => described.has(status)) : [];
      drafted[meaning] = [...present, ...also].map(Number).sort((x, y) => x - y);
      note(
        draftNotes,
        at,
        'stated',
        matching.map((status) => `${status} is ${quoteText(described.get(status) ?? '', 100)}`).join('; '),
      );
    } else if (present.length > 0)
      addUndecided(
        draftNotes,
        at,
        `${present.join(' and ')} is described as ${quoteText(present.map((each) => described.get(each)).join('; '), 160)}; if this is the response to ${what}, write [${present.join(', ')}]`,
      );
  }
  return Object.keys(drafted).length > 0 ? { statuses: drafted } : {};
}
