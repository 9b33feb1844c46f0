/** The requests of a run before it starts: exact ones where known, otherwise templates with a maximum number. */
import { type OperationKey, operationOf, type SafetyClass } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import type { InputValue } from '../profile/template.ts';
import { declarationsOf } from '../rule/declarations.ts';
import { type Rule, type Step, sourceNames } from '../rule/index.ts';
import { codedInputsOf, inlineTables, withCodes } from './coded-values.ts';
import { holdsAllWindows } from './fetch-request.ts';
import { pagerOf } from './pager.ts';
import { fixedInputs } from './step-inputs.ts';
import type { Selection } from './types.ts';
import { prepareRun } from './units.ts';

export interface PlannedRequest {
  readonly operation: OperationKey;
  readonly safety: SafetyClass;
  readonly method: string;
  readonly url: string;
  /** Whether it is sent in any case, with this method and URL; otherwise values in braces or a condition depend on earlier responses. */
  readonly exact: boolean;
  /** Maximum number of requests: first pages, without redirects, repetitions and token requests. */
  readonly maxRequests: number;
  /** Whether the response is a page of a list; the service determines the number of pages. */
  readonly paged: boolean;
  /** Maximum number of pages. */
  readonly maxPages: number;
  readonly rules: readonly string[];
}

/** The maximum number of requests of a plan, and of those for paged lists. */
export function boundOf(planned: readonly PlannedRequest[]): { readonly requests: number; readonly paged: number } {
  const sum = (requests: readonly PlannedRequest[]): number =>
    requests.reduce((total, { maxRequests }) => total + maxRequests, 0);
  return { requests: sum(planned), paged: sum(planned.filter(({ paged }) => paged)) };
}

/** The requests of a selection, each once, in the order of their first use. */
export function planRequests(
  rules: readonly Rule[],
  selection: Selection,
  profile: Profile,
  base: string,
): PlannedRequest[] {
  const declarations = declarationsOf(profile, selection.sampling);
  const planned = new Map<string, Omit<PlannedRequest, 'maxRequests'> & { readonly sources: Map<string, number> }>();
  const { ready, besides } = prepareRun(rules, selection, profile, declarations);
  for (const { unit, steps } of [...ready, ...besides]) {
    for (const step of Object.values(steps)) {
      // It only reads what other steps request.
      if (step.each?.max === 0) continue;
      const { body, inputs, ...request } = plannedRequestOf(step);
      const key = `${request.method} ${request.url} ${step.repetition ?? 0} ${windowOf(step)} ${body}`;
      const { sources, rules, exact } = planned.get(key) ?? {
        sources: new Map<string, number>(),
        rules: [],
        exact: true,
      };
      const source = `${inputs} ${step.each ? sourceOf(step.each, steps, `${unit.rule.id} ${unit.subject.key}`) : ''}`;
      sources.set(source, Math.max(sources.get(source) ?? 0, step.each?.max ?? 1));
      planned.set(key, {
        ...request,
        sources,
        exact: exact && request.exact,
        rules: [...new Set([...rules, unit.rule.id])],
      });
    }
  }
  return [...planned.values()].map(({ sources, ...request }) => ({
    ...request,
    maxRequests: [...sources.values()].reduce((sum, each) => sum + each, 0),
  }));

  /** The source of drawn values: two rules that draw from the same rows in the same way send the same requests. */
  function sourceOf(each: NonNullable<Step['each']>, steps: { readonly [name: string]: Step }, unit: string): string {
    if (each.key !== undefined) return each.key;
    const from = steps[sourceNames(each)[0] as string] as Step;
    const { url, body } = plannedRequestOf(from);
    const fold = each.fold === undefined ? '' : from.folds?.[each.fold]?.key;
    const isSharedByRules = !each.choose && !from.each && !from.fromAllRules;
    return JSON.stringify([
      from.operation,
      url,
      body,
      from.repetition ?? 0,
      fold,
      each.as,
      isSharedByRules ? '' : unit,
    ]);
  }

  /** Windows in one response need one request. */
  function windowOf({ operation, inputs }: Step): string {
    return holdsAllWindows(profile, operation) ? '' : JSON.stringify(inputs?.window ?? null);
  }

  function plannedRequestOf(
    step: Step,
  ): Omit<PlannedRequest, 'rules' | 'maxRequests'> & { body: string; inputs: string } {
    const inputs: Record<string, InputValue> = { ...fixedInputs(step, declarations) };
    for (const input of Object.values(step.each?.as ?? {})) inputs[input as string] = `{${input}}`;
    const { operation, variant = {}, repetition = 0 } = step;
    const coded = codedInputsOf(variant.request ?? profile.data.operations?.[operation]?.request, inputs);
    const tables = inlineTables(profile);
    // The codes that an operation lists are not known yet.
    const unknown = coded.filter(([, name]) => tables.get(name)?.unread !== undefined);
    for (const [input] of unknown) inputs[input] = `{${input}}`;
    const spec = withCodes(profile, { operation, inputs, variant, repetition }, tables);
    const request = pagerOf({ base, profile }, spec).first();
    const paging = profile.data.operations?.[step.operation]?.response?.paging;
    return {
      operation: step.operation,
      safety: operationOf(step.operation).safety,
      method: request.method,
      url: request.url.replaceAll('%7B', '{').replaceAll('%7D', '}'),
      exact: !step.each && !step.when && unknown.length === 0,
      paged: paging !== undefined,
      maxPages: paging ? (paging.maxPages ?? 1000) : 1,
      body: request.body ? new TextDecoder().decode(request.body) : '',
      // Equal requests may have different inputs.
      inputs: JSON.stringify(inputs),
    };
  }
}
