/** Takes sample exchanges from the simulator of a profile: the requests of a few rules, and the responses to them. */
import { Readable } from 'node:stream';
import { chunksOf } from '../../../simulator/behaviors/deliver-body.ts';
import type { ReceivedRequest, SimulatedResponse, Simulation } from '../../../simulator/simulation.ts';
import { RULES } from '../../../suites/index.ts';
import { judgeTarget } from '../../api/judge-target.ts';
import { createDialectSimulation } from '../../api/start-simulator.ts';
import { DEFAULT_SAMPLING } from '../../contract/index.ts';
import type { SampleExchange } from '../../profile/openapi/write/types.ts';
import { refusalsOf } from '../../profile/refusal.ts';
import type { Profile } from '../../profile/schema.ts';
import { decodeBody } from '../../reading/decode.ts';
import { isSuccessHead, mediaOf } from '../../reading/media.ts';
import { READERS } from '../../reading/readers.ts';
import { bindRefusals, findRefusal } from '../../reading/refusal.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../../selftest/simulation-dispatcher.ts';

/** Rules whose requests show each operation: valid, with filters, of unknown values, malformed. */
const SAMPLED_RULES: readonly string[] = [
  'every.served',
  'every.sound-answer',
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

/**
 * Sends requests to the simulator of a profile and returns the exchanges.
 *
 * @throws UsageError if the simulator does not support the profile
 */
export async function sampleExchanges(profile: Profile): Promise<SampleExchange[]> {
  const received: Received[] = [];
  const simulation = observed(await createDialectSimulation(profile, { products: PRODUCTS }), received);
  const dispatcher = simulationDispatcher(simulation);
  await judgeTarget({
    base: SIMULATION_ORIGIN,
    profile,
    rules: RULES.filter(({ id }) => SAMPLED_RULES.includes(id)),
    network: { secrets: [], dispatcherFor: (origin) => (origin === SIMULATION_ORIGIN ? dispatcher : undefined) },
    selection: { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth: 'quick' } },
    // The clock of the simulator is fixed.
    wait: async () => undefined,
    onProgress: () => undefined,
  });
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
