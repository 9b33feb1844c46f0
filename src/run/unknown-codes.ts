/** Finds codes of unknown meaning in the responses that a rule compares. They may be the cause of a failure, which then proves nothing. */
import { operationOf } from '../contract/index.ts';
import type { Reading, Steps } from '../rule/index.ts';
import type { Unit } from './types.ts';

/** Whether a rule reads a field of a step: its needs name the opening, or a fold names the field. */
export function readsField({ rule, subject }: Unit, step: Steps[string], field: string): boolean {
  const opening = `${operationOf(step.operation).name}.fields.${field}`;
  const needs: readonly string[] = rule.needs(subject.key).flat();
  const word = new RegExp(`\\b${field}\\b`);
  return needs.includes(opening) || Object.values(step.folds ?? {}).some(({ key }) => word.test(key));
}

/** Why a failure of a unit proves nothing; undefined if no code of unknown meaning can be its cause. */
export function unknownCodeReason(
  unit: Unit,
  steps: Steps,
  seen: { readonly [name: string]: readonly Reading[] },
): string | undefined {
  for (const [name, step] of Object.entries(steps))
    for (const { observation, exchange } of seen[name] ?? [])
      for (const { codes = [] } of observation?.pageMetadata ?? []) {
        const found = codes.find(({ field, unknown }) => unknown > 0 && readsField(unit, step, field));
        if (found)
          return `${exchange} contains ${found.unknown} codes at ${found.field} without a known meaning (${found.unread ?? `the table of ${found.from ?? 'the profile'} does not list them, or lists several meanings`})`;
      }
  return undefined;
}
