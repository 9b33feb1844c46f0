/** The flags that select what is judged, and where. */
import type { ParseArgsConfig } from 'node:util';
import { ruleOf } from '../../suites/index.ts';
import { GROUPS, isOperationKey, SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { checkBaseUrl } from '../exchange/url.ts';
import type { Selection } from '../run/types.ts';
import { UsageError } from './options.ts';

export const SELECTION_FLAGS = {
  'base-url': { type: 'string' },
  profile: { type: 'string' },
  group: { type: 'string', multiple: true },
  operation: { type: 'string', multiple: true },
  rule: { type: 'string', multiple: true },
  safety: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

export interface SelectionValues {
  readonly 'base-url'?: string | undefined;
  readonly group?: string[] | undefined;
  readonly operation?: string[] | undefined;
  readonly rule?: string[] | undefined;
  readonly safety?: string | undefined;
}

/** The selection of a command line. Without a base address the simulator is meant, where everything may be sent. */
export function selectionOf(values: SelectionValues): Selection {
  const safety = values.safety ?? (values['base-url'] === undefined ? 'all' : 'read');
  if (!Object.hasOwn(SAFETY_LADDER, safety))
    throw new UsageError(`--safety ${safety}: allowed are ${Object.keys(SAFETY_LADDER).join(', ')}`);
  const groups = values.group?.flatMap((each) => each.split(',')).map((each) => each.trim());
  for (const group of groups ?? []) {
    if (!Object.hasOwn(GROUPS, group))
      throw new UsageError(`--group ${group}: allowed are ${Object.keys(GROUPS).join(', ')}`);
  }
  const operations = (values.operation ?? []).map((key) => {
    if (!isOperationKey(key))
      throw new UsageError(
        `--operation “${key}”: there is no such operation; spell it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
      );
    return key;
  });
  for (const id of values.rule ?? []) {
    if (!ruleOf(id)) throw new UsageError(`--rule ${id}: there is no such rule; mdwi rules lists them`);
  }
  return {
    safety: safety as Safety,
    ...(groups && { groups }),
    ...(operations.length > 0 && { operations }),
    ...(values.rule && { rules: values.rule }),
  };
}

/** The base address of a command line, checked. */
export function baseUrlOf(text: string): string {
  try {
    return checkBaseUrl(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
