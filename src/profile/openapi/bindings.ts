/** Drafts the binding of a field from a matched value, with its converter, `required` and `nullable`. */
import type { Field } from '../../contract/index.ts';
import { chooseConverter } from './conversions.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import type { FieldCandidates } from './fields.ts';

/** Returns the binding of a field; undefined, and left open, if several values match equally, or if it is a guess. */
export function bindField(
  field: Field,
  found: FieldCandidates,
  at: readonly string[],
  draftNotes: DraftNotes,
): unknown {
  const where = [...at, 'fields', field];
  if ('candidates' in found) {
    addUndecided(draftNotes, where, `candidates: ${found.candidates.map(({ selector }) => selector).join(' or ')}`);
    return undefined;
  }
  const { describedValue, confidence, reason } = found.match;
  const choice = chooseConverter(field, describedValue);
  // A list may be empty, and a percentage may be missing if last year has no sales.
  const isMandatory = field !== 'characteristics' && field !== 'percentChange';
  const reasons = [
    reason,
    ...(choice.as ? [`as ${choice.as}: ${choice.reason}`] : []),
    ...(choice.decimals !== undefined ? [`decimals ${choice.decimals}: ${choice.reason}`] : []),
    ...(describedValue.nullable
      ? ['null by the schema']
      : describedValue.required
        ? [
            isMandatory
              ? 'required by the schema'
              : 'required by the schema, but not in this draft: a correct response may omit it',
          ]
        : []),
  ];
  const required = describedValue.required && !describedValue.nullable && isMandatory;
  const nullable = describedValue.nullable && field !== 'characteristics';
  const hasFormat = choice.as !== undefined || choice.decimals !== undefined;
  const binding =
    !hasFormat && !required && !nullable
      ? describedValue.selector
      : {
          at: describedValue.selector,
          ...(choice.as && { as: choice.as }),
          ...(choice.decimals !== undefined && { decimals: choice.decimals }),
          ...(required && { required: true }),
          ...(nullable && { nullable: true }),
        };
  // A wrong guess would prove nothing for ever, or accuse a correct service: the author decides.
  if (confidence === 'unsure' || choice.doubt) {
    const doubts = [...(confidence === 'unsure' ? [`unsure: ${reason}`] : []), ...(choice.doubt ? [choice.doubt] : [])];
    const advice = confidence === 'unsure' ? 'if it is this, write' : 'if this is clear, write';
    addUndecided(draftNotes, where, `${doubts.join('; ')}; ${advice} ${field}: ${JSON.stringify(binding)}`);
    return undefined;
  }
  note(draftNotes, where, confidence, reasons.join('; '));
  return binding;
}
