/** What a run would send, before anything is sent: exact requests where they are known, templates with a bound where not. */
import { type OperationKey, operationOf, SAFETY_LADDER, type SafetyClass } from '../contract/index.ts';
import { buildRequest } from '../exchange/request.ts';
import type { Profile } from '../profile/schema.ts';
import type { InputValue } from '../profile/template.ts';
import type { Rule, Step } from '../rule/index.ts';
import { declarationsOf } from './declarations.ts';
import { holdsAllWindows } from './fetch-node.ts';
import type { Selection } from './types.ts';
import { guardUnits, prepare, selectUnits } from './units.ts';

export interface PlannedRequest {
  readonly operation: OperationKey;
  readonly safety: SafetyClass;
  readonly method: string;
  readonly url: string;
  /** Whether method and URL are exactly what will be sent; else values in braces come from earlier answers. */
  readonly exact: boolean;
  /** How many such requests at most, pages and one repetition not counted. */
  readonly most: number;
  /** How many pages a list may have, where the profile pages it. */
  readonly pages: number;
  readonly rules: readonly string[];
}

/** The requests of a selection, each once, in the order they would first be sent. */
export function planRequests(
  rules: readonly Rule[],
  selection: Selection,
  profile: Profile,
  base: string,
): PlannedRequest[] {
  const allowed = SAFETY_LADDER[selection.safety];
  const declares = declarationsOf(profile);
  const planned = new Map<string, PlannedRequest>();
  const selected = selectUnits(rules, selection);
  const ready = selected.filter((unit) => 'steps' in prepare(unit, profile, declares, allowed));
  for (const unit of [...ready, ...guardUnits(rules, selection, ready)]) {
    const prepared = prepare(unit, profile, declares, allowed);
    if (!('steps' in prepared)) continue;
    for (const step of Object.values(prepared.steps)) {
      const { body, ...request } = plannedOf(step);
      const key = `${request.method} ${request.url} ${step.occasion ?? 0} ${windowOf(step)} ${body}`;
      const known = planned.get(key);
      if (!known) planned.set(key, { ...request, rules: [unit.rule.id] });
      else
        planned.set(key, {
          ...known,
          most: Math.max(known.most, request.most),
          rules: [...new Set([...known.rules, unit.rule.id])],
        });
    }
  }
  return [...planned.values()];

  /** Windows that one answer holds are asked for at once. */
  function windowOf({ operation, inputs }: Step): string {
    return holdsAllWindows(profile, operation) ? '' : JSON.stringify(inputs?.window ?? null);
  }

  function plannedOf(step: Step): Omit<PlannedRequest, 'rules'> & { body: string } {
    const inputs: Record<string, InputValue> = {};
    for (const [input, source] of Object.entries(step.inputs ?? {})) {
      const value = 'value' in source ? source.value : declares.examples(source.example)[source.nth ?? 0];
      if (value !== undefined) inputs[input] = value;
    }
    for (const input of Object.values(step.each?.as ?? {})) inputs[input as string] = `{${input}}`;
    const request = buildRequest(base, step.operation, profile, inputs, step.variant);
    const paging = profile.data.operations?.[step.operation]?.response?.paging;
    return {
      operation: step.operation,
      safety: operationOf(step.operation).safety,
      method: request.method,
      url: request.url.replaceAll('%7B', '{').replaceAll('%7D', '}'),
      exact: !step.each,
      most: step.each?.max ?? 1,
      pages: paging ? (paging.maxPages ?? 1000) : 1,
      body: request.body ? new TextDecoder().decode(request.body) : '',
    };
  }
}
