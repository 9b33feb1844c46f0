import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import type { DraftedOperation } from './drafted-operation.ts';

/** Drafts `markets` of a profile; an example states nothing and appears only in a note. */
export function draftMarkets(
  operations: readonly DraftedOperation[],
  draftNotes: DraftNotes,
): { markets?: Record<string, string[]> } {
  const markets: Record<string, string[]> = {};
  for (const { described, fields } of operations) {
    const describedValue = fields.get('market');
    if (!describedValue) continue;
    const member = described.key.includes('/prodRef/') ? 'products' : 'performance';
    const allowed = describedValue.schema.enumValues.map(({ value }) => String(value));
    const [only] = allowed;
    if (allowed.length === 1 && only !== undefined) {
      if (markets[member] === undefined)
        note(draftNotes, ['markets', member], 'stated', `the only value of ${describedValue.names.join('.')}`);
      markets[member] = [...new Set([...(markets[member] ?? []), only])];
    } else {
      const shown = [...allowed, ...describedValue.schema.examples.map(String)];
      addUndecided(
        draftNotes,
        ['markets', member],
        `the value of the market${shown.length > 0 ? `; examples: ${shown.slice(0, 5).join(', ')}` : ''}; plain values such as US or Total US need no declaration`,
      );
    }
  }
  return Object.keys(markets).length > 0 ? { markets } : {};
}
