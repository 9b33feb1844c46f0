/** Takes sample exchanges from the simulator of a profile: the requests of a few rules, and the responses to them. */
import { Readable } from 'node:stream';
import { chunksOf } from '../../../simulator/behaviors/deliver-body.ts';
import type { ReceivedRequest, SimulatedResponse, Simulation } from '../../../simulator/simulation.ts';
import { RULES } from '../../../suites/index.ts';
import { judgeTarget } from '../../commands/judge-target.ts';
import { createDialectSimulation } from '../../commands/start-simulator.ts';
import { DEFAULT_SAMPLING, OPERATIONS } from '../../contract/index.ts';
import { isImplemented } from '../../profile/filled-openings.ts';
import type { SampleExchange } from '../../profile/openapi/write/types.ts';
import type { Profile } from '../../profile/schema.ts';
import { refusalsOf } from '../../profile/statuses.ts';
import { bindRefusals, findRefusal } from '../../reading/body-refusal.ts';
import { decodeBody } from '../../reading/decode.ts';
import { isSuccessHead, mediaOf } from '../../reading/media.ts';
import { READERS } from '../../reading/readers.ts';
import type { Run } from '../../run/types.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../../selftest/simulation-dispatcher.ts';
import { UsageError } from '../../usage-error.ts';

/** Rules whose requests show each operation: valid, with filters, of unknown values, malformed. */
const VALID_REQUEST_RULE = 'every.sound-answer';
const SAMPLED_RULES: readonly string[] = [
  'every.served',
  VALID_REQUEST_RULE,
  'A.job-status',
  'A.unknown-job',
  'C.filter-answered',
  'C.unknown-status',
  'C.malformed-status',
  'C.malformed-upc',
  'C.delta-windows-answered',
  'D.filters-answered',
];

/** Small, so that examples are short; large enough that the example values of a profile have products. */
const PRODUCTS = 40;

const MAX_BODY_BYTES = 16 << 20;

interface Received {
  readonly operation: SampleExchange['operation'];
  readonly isValid: boolean;
  readonly inputs: number;
  readonly request: ReceivedRequest;
  readonly head: { readonly status: number; readonly reasonPhrase: string; readonly headers: [string, string][] };
  readonly body: Uint8Array;
}

/** The body in UTF-8, whatever its content coding and charset. */
async function decodedBody({ head, body }: Received, isText: boolean): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of decodeBody(head, Readable.from([body]), MAX_BODY_BYTES, isText)) parts.push(part);
  return Buffer.concat(parts);
}

/** The text of a body, and what selectors read in it. */
async function contentOf(received: Received, { data }: Profile): Promise<Pick<SampleExchange, 'text' | 'document'>> {
  const { csv, media: declared } = data.operations?.[received.operation]?.response ?? {};
  const media = mediaOf(declared, received.head);
  if (media === undefined || media === 'binary') return { text: received.body.byteLength === 0 ? '' : undefined };
  const bytes = await decodedBody(received, true);
  const text = bytes.toString();
  if (media === 'text' || text === '') return { text };
  const reader = READERS[media]({
    rowsSelector: undefined,
    otherSelectors: [],
    head: received.head,
    maxRowBytes: MAX_BODY_BYTES,
    maxWholeBytes: MAX_BODY_BYTES,
    csv,
    onRows: () => undefined,
  });
  reader.push(bytes);
  return { text, document: reader.end().document };
}

/** The whole body. Without behaviors, no body is generated asynchronously. */
function wholeBody(body: SimulatedResponse['body']): Uint8Array {
  const chunks = chunksOf(body);
  const parts: Uint8Array[] = [];
  if (Symbol.iterator in chunks) for (const each of chunks) parts.push(Buffer.from(each));
  return Buffer.concat(parts);
}

/** A simulation that notes each exchange of an operation. */
function observed(simulation: Simulation, received: Received[]): Simulation {
  return {
    ...simulation,
    respond(request) {
      const response = simulation.respond(request);
      const body = wholeBody(response.body);
      const entry = simulation.journal.requests().at(-1);
      if (entry?.operation)
        received.push({
          operation: entry.operation,
          isValid: entry.problem === undefined,
          inputs: Object.keys(entry.inputs).length,
          request,
          head: {
            status: response.status,
            reasonPhrase: '',
            headers: Object.entries(response.headers).map(([name, value]) => [
              name.toLowerCase(),
              [value].flat().join(', '),
            ]),
          },
          body,
        });
      return { ...response, body };
    },
  };
}

/** Repeats a valid request of each operation without its inputs, and without its headers: what is wrong with it gets an error. */
function errorsOf(simulation: Simulation, received: Received[]): Received[] {
  const valid = new Map(received.filter(({ isValid }) => isValid).map((each) => [each.operation, each.request]));
  const before = received.length;
  for (const request of valid.values()) {
    const [path = ''] = request.target.split('?');
    const { 'content-type': contentType } = request.headers;
    simulation.respond({ ...request, target: path, body: new Uint8Array() });
    simulation.respond({ ...request, headers: contentType === undefined ? {} : { 'content-type': contentType } });
  }
  return received.splice(before).filter(({ isValid }) => !isValid);
}

/** Lists the operations whose responses the profile describes and no exchange shows, each with the reason. */
function listUnshown(
  profile: Profile,
  received: readonly Received[],
  approximations: readonly string[],
  results: Run['results'],
): string[] {
  const shown = new Set(
    received.filter(({ isValid, head }) => isValid && isSuccessHead(head)).map(({ operation }) => operation),
  );
  return OPERATIONS.filter(({ key }) => isImplemented(profile, key) && !shown.has(key))
    .filter(({ key }) => profile.data.operations?.[key]?.response !== undefined)
    .map(({ key }) => {
      const { note, findings } =
        results.find((each) => each.rule === VALID_REQUEST_RULE && each.operation === key) ?? {};
      const why = note ?? findings?.[0]?.actual ?? 'its request got no successful response';
      return approximations.find((each) => each.startsWith(`${key} `)) ?? `${key}: ${why}`;
    });
}

/**
 * Sends requests to the simulator of a profile and returns the exchanges.
 *
 * @param onApproximation receives a sentence for each thing that the simulator does not do as the profile says
 * @throws UsageError if the simulator does not support the profile, or shows no response of an operation that it describes
 */
export async function sampleExchanges(
  profile: Profile,
  onApproximation: (sentence: string) => void = () => undefined,
): Promise<SampleExchange[]> {
  const received: Received[] = [];
  const simulation = observed(await createDialectSimulation(profile, { products: PRODUCTS }), received);
  const dispatcher = simulationDispatcher(simulation);
  const { results } = await judgeTarget({
    base: SIMULATION_ORIGIN,
    profile,
    rules: RULES.filter(({ id }) => SAMPLED_RULES.includes(id)),
    network: { secrets: [], issuer: SIMULATION_ORIGIN, dispatcherFor: () => dispatcher },
    selection: { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth: 'quick' } },
    // The clock of the simulator is fixed.
    wait: async () => undefined,
    onProgress: () => undefined,
  });
  const unshown = listUnshown(profile, received, simulation.approximations, results);
  if (unshown.length > 0)
    throw new UsageError(
      `nothing is written: the simulator of the profile shows no successful response of ${unshown.length === 1 ? 'an operation' : `${unshown.length} operations`}\n  ${unshown.join('\n  ')}\nmend the profile, or name only the other operations under implements`,
    );
  for (const each of simulation.approximations) onApproximation(each);
  const errors = errorsOf(simulation, received);
  return Promise.all(
    [...received, ...errors].map(async (each) => {
      const { operation, isValid, inputs, request, head } = each;
      const { pathname, searchParams } = new URL(request.target, SIMULATION_ORIGIN);
      const content = await contentOf(each, profile);
      const refusals = bindRefusals(refusalsOf(profile.data, operation));
      return {
        operation,
        isValid,
        isRefusal: isSuccessHead(head) && findRefusal(refusals, content.document, head) !== undefined,
        inputs,
        query: searchParams,
        path: pathname,
        requestBody: new TextDecoder().decode(request.body),
        status: head.status,
        headers: Object.fromEntries(head.headers),
        ...content,
      };
    }),
  );
}
