/** `mdwi profile try`: sends one request and shows what every selector found in the response. */

import { createLiveSource } from '../../client/live-source.ts';
import type { Network } from '../../commands/network.ts';
import {
  FIELDS,
  type Field,
  INPUT_NAMES,
  INPUTS,
  type Input,
  JOB_KINDS,
  JOB_STATUS,
  type OperationKey,
  operationOf,
  SAFETY_LADDER,
  type Safety,
  type SafetyClass,
} from '../../contract/index.ts';
import { curlCredentialsOf, toCurl } from '../../exchange/curl.ts';
import { cutText, printable } from '../../exchange/printable.ts';
import { authKeyOf, clientAuthOf } from '../../profile/auth-schemes.ts';
import { isoDate } from '../../profile/converters/index.ts';
import type { VariableUse } from '../../profile/environment.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';
import { type Inputs, type InputValue, mentionedInputs } from '../../profile/template.ts';
import { decodedHead } from '../../reading/decode.ts';
import { readBody } from '../../reading/read-body.ts';
import { type Observation, type Row, Unconverted } from '../../reading/types.ts';
import { requiredInputsOf } from '../../rule/declarations.ts';
import { fetchCodeTables } from '../../run/code-tables.ts';
import { withCodes } from '../../run/coded-values.ts';
import { readingPlanOf } from '../../run/fetch-request.ts';
import { pagerOf } from '../../run/pager.ts';
import type { RequestSpec } from '../../run/request-spec.ts';
import type { ReceivedCredential } from '../../secrets/received.ts';
import { UsageError } from '../../usage-error.ts';

const MAX_ROWS = 3;

/** Formats a cell for people: days as dates, and why a value did not convert. */
function formatCell(field: string, value: unknown): string {
  if (value instanceof Unconverted) return `${JSON.stringify(value.raw)} – does not convert: ${value.why}`;
  if (value === undefined) return 'nothing found';
  return typeof value === 'number' && FIELDS[field as Field].kind === 'date' ? isoDate(value) : JSON.stringify(value);
}

/** A value of the command line; a number where the examples of the profile are numbers. */
const typedLike = (text: string, examples: readonly InputValue[]): InputValue =>
  typeof examples[0] === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

/** Returns the inputs of a request: `given`, else examples of the profile. Throws UsageError if a required one is missing. */
function inputsFor(profile: Profile, key: OperationKey, given: ReadonlyMap<string, string>): Inputs {
  const { examples = {}, jobs = {}, operations } = profile.data;
  const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
  const jobId = (kind && jobs[kind]?.example) ?? examples.jobId?.[0];
  const inputs: { [I in Input]?: InputValue } = { window: 4, ...(jobId !== undefined && { jobId }) };
  const [catalogueId] = exampleValuesOf(profile.data, 'catalogueId', { operation: key });
  for (const input of INPUT_NAMES) {
    const [first] = exampleValuesOf(profile.data, input, { operation: key, catalogueId });
    if (first !== undefined && input !== 'jobId' && (input !== 'upc' || key.includes('{upc}'))) inputs[input] = first;
  }
  for (const [name, text] of given) {
    const input = name as Input;
    if (!mentionedInputs(operations?.[key]?.request ?? {}).has(input) && !key.includes(`{${input}}`))
      throw new UsageError(
        `--input ${name}=${text}: the request does not mention {${name}}: write it in request of operations["${key}"]`,
      );
    inputs[input] = input === 'window' ? Number(text) : typedLike(text, exampleValuesOf(profile.data, input));
  }
  // The document does not say where the status operation takes its id.
  const hasNoRequest = operations?.[key]?.request === undefined;
  if (hasNoRequest && kind)
    throw new UsageError(
      `${key} needs the id of a job, and the profile does not say where: write request: { query: { NAME: "{jobId}" } } under operations["${key}"] (or request: {} if it needs none)`,
    );
  const missing = requiredInputsOf(profile, key).find((input) => inputs[input] === undefined);
  if (missing === undefined) return inputs;
  const where = missing === 'jobId' && kind ? `jobs.${kind}.example` : `examples.${missing}`;
  throw new UsageError(
    `${key} needs {${missing}}, ${INPUTS[missing]}: give a value the service knows under ${where} of the profile`,
  );
}

/** Refuses a request that contains the name of an unset variable in place of its value. */
function refuseUnset({ data, unset = [] }: Profile, key: OperationKey, inputs: Inputs): void {
  const { request } = data.operations?.[key] ?? {};
  const mentioned = new Set<string>(request ? mentionedInputs(request) : ['upc']);
  const isSent = ([top, second, third]: readonly PropertyKey[]): boolean => {
    const isAnonymous = data.authExcept?.includes(key) ?? false;
    const authKey = authKeyOf(data, key);
    if (top === 'auth') return !isAnonymous && authKey === undefined;
    if (top === 'authFor') return !isAnonymous && second === authKey;
    if (top === 'operations') return second === key && third === 'request';
    if (top === 'examples') return mentioned.has(String(second)) && inputs[second as Input] !== undefined;
    return top === 'headers' || top === 'prefixes' || (top === 'jobs' && mentioned.has('jobId'));
  };
  const missing = unset.filter(({ path }) => isSent(path));
  if (missing.length === 0) return;
  const [{ path }] = missing as [VariableUse];
  const names = [...new Set(missing.map(({ name }) => name))].join(', ');
  throw new UsageError(
    `the request carries ${formatLocation(path)}, which needs the environment variable ${names}: set it and try again`,
  );
}

export interface TryOptions {
  readonly network?: Partial<Network>;
  /** The classes of operations that may be sent; default `read`. */
  readonly safety?: Safety;
  /** Inputs in place of the examples of the profile. */
  readonly inputs?: ReadonlyMap<string, string>;
}

/**
 * Sends the operation's request with the profile's examples and formats what was found, with the first rows complete. The
 * text may contain unredacted credentials: those of the profile, and those `received` from the service.
 */
export async function tryOperation(
  base: string,
  profile: Profile,
  key: OperationKey,
  { network = {}, safety = 'read', inputs: given = new Map() }: TryOptions = {},
): Promise<{ readonly text: string; readonly received: readonly ReceivedCredential[] }> {
  const { safety: needed } = operationOf(key);
  if (!(SAFETY_LADDER[safety] as readonly SafetyClass[]).includes(needed))
    throw new UsageError(
      `${key} may change something on the service; --safety ${needed === 'unclear' ? 'all' : needed} sends it`,
    );
  const inputs = inputsFor(profile, key, given);
  refuseUnset(profile, key, inputs);
  const { limits } = profile.data;
  const received: ReceivedCredential[] = [];
  const source = createLiveSource({
    ...limits,
    ...network,
    base,
    ...clientAuthOf(profile.data),
    onCredential: (credential) => received.push(credential),
  });
  const rows: Row[] = [];
  let observation: Observation | undefined;
  try {
    const spec: RequestSpec = { operation: key, inputs, variant: {}, repetition: 0 };
    const codes = await fetchCodeTables({ base, profile, source }, spec);
    const request = pagerOf({ base, profile }, withCodes(profile, spec, codes)).first();
    const exchange = await source.send(request, async (head, chunks) => {
      observation = await readBody(readingPlanOf(profile, key, inputs, codes), head, chunks, (row) => {
        if (rows.length < MAX_ROWS) rows.push(row);
      });
    });
    const { response, failure } = exchange;
    const preview = response
      ? cutText(new TextDecoder().decode(await decodedHead(response, exchange.body, 401)), 400)
      : '';
    const selectors = profile.data.operations?.[key]?.response?.fields ?? {};
    const lines = [
      toCurl(request, curlCredentialsOf(profile, request.authKey)),
      response ? `response: ${response.status}, ${exchange.body.bytes} bytes` : `no response: ${failure?.message}`,
      ...(preview ? [`  ${preview}`] : []),
      ...(observation?.refusal ? [`a refusal: ${observation.refusal.because}`] : []),
      ...(observation?.problem ? [`problem: ${observation.problem.message}`] : []),
      `rows read: ${observation?.rows ?? 0}`,
      ...rows.flatMap((row, at) => [
        `row ${at}`,
        ...Object.entries(row).map(
          ([field, cell]) => `  ${field} at ${String(selectors[field as keyof Row]?.at)}: ${formatCell(field, cell)}`,
        ),
      ]),
      ...Object.entries(observation?.values ?? {}).map(
        ([field, cells]) =>
          `${field} at ${String(selectors[field as keyof Row]?.at)}: ${
            cells.length === 0
              ? 'nothing found'
              : cells
                  .slice(0, MAX_ROWS)
                  .map((cell) => formatCell(field, cell))
                  .join(', ')
          }`,
      ),
      ...(observation?.next === undefined ? [] : [`next page: ${observation.next}`]),
      '',
    ];
    return { text: lines.map(printable).join('\n'), received };
  } finally {
    await source.close();
  }
}
