/** From a matched value to the binding of a field, with its converter and what the schema says of gaps. */
import type { Field } from '../../contract/index.ts';
import { chooseConverter } from './conversions.ts';
import { type DraftNotes, leaveOpen, note } from './draft-notes.ts';
import type { FieldCandidates } from './fields.ts';

/** The binding of a field; nothing, and left open, where several values could be it. */
export function bindField(field: Field, found: FieldCandidates, at: readonly string[], book: DraftNotes): unknown {
  const where = [...at, 'fields', field];
  if ('among' in found) {
    leaveOpen(book, where, `it may stand at ${found.among.map(({ selector }) => selector).join(' or ')}`);
    return undefined;
  }
  const { leaf, sure, from } = found.match;
  const choice = chooseConverter(field, leaf);
  if (choice.open) leaveOpen(book, [...where, 'as'], choice.open);
  // A list may be empty, and a percentage may always be missing where last year has no sales.
  const isGap = field !== 'characteristics' && field !== 'percentChange';
  const said = [
    from,
    ...(choice.as ? [`as ${choice.as}: ${choice.from}`] : []),
    ...(leaf.nullable
      ? ['null by the schema']
      : leaf.required
        ? [isGap ? 'required by the schema' : 'required by the schema, and not here: a right answer may lack it']
        : []),
  ];
  note(book, where, sure, said.join('; '));
  const required = leaf.required && !leaf.nullable && isGap;
  const nullable = leaf.nullable && field !== 'characteristics';
  if (!choice.as && !required && !nullable) return leaf.selector;
  return {
    at: leaf.selector,
    ...(choice.as && { as: choice.as }),
    ...(required && { required: true }),
    ...(nullable && { nullable: true }),
  };
}
