/**
 * A dialect built from a profile. It inverts the request templates to read requests, and writes values where the
 * selectors read. What cannot be inverted is left out and named (docs/simulator.md).
 */
import { type Input, JOB_STATUS, OPERATIONS, type Operation, operationOf } from '../../../src/contract/index.ts';
import { computedKindOf, placesOf } from '../../../src/profile/auth-schemes.ts';
import { bundledData } from '../../../src/profile/bundled/index.ts';
import { bundledProfile } from '../../../src/profile/bundled.ts';
import { isImplemented } from '../../../src/profile/filled-openings.ts';
import { memberNames } from '../../../src/profile/plain-object.ts';
import type { ReadInputs } from '../../../src/profile/read-back/request-reader.ts';
import type { AuthScheme, Profile, ProfileData, RequestTemplate } from '../../../src/profile/schema.ts';
import { inputsIn } from '../../../src/profile/template.ts';
import type { ModelAnswer, PageRange, Query, Rejected } from '../../model/types.ts';
import type { World } from '../../model/world.ts';
import type { DialectName } from '../names.ts';
import type { Dialect, DialectRequest, DialectResponse, ExpectedBody, ExpectedRequest } from '../types.ts';
import { adaptWorld } from './adapt-world.ts';
import { Aliases } from './aliases.ts';
import { challengeOf, credentialProblem, schemesOf } from './check-credentials.ts';
import { describeAnswer } from './describe-answer.ts';
import { approximationSentences, simulatedProfile } from './find-unwritable.ts';
import { IssuedTokens } from './issued-tokens.ts';
import type { OperationCodec } from './operation-codec.ts';
import { OFFSET_PARAMETER, pageRangeOf } from './paging.ts';
import { refuse, writeAnswer, writeProblem } from './write.ts';
import type { Unwritable } from './write-path.ts';

const mentionsInput = (value: unknown): boolean => inputsIn(JSON.stringify(value) ?? '').length > 0;

/** The type of the body, and its names: those of a body without inputs are examples. */
function bodyOf({ json, form, multipart, xml, raw }: RequestTemplate): ExpectedBody | undefined {
  if (json !== undefined) return { type: 'json', ...(mentionsInput(json) && { names: memberNames(json) }) };
  if (form) return { type: 'form', ...(mentionsInput(form) && { names: Object.keys(form) }) };
  if (multipart) return { type: 'multipart' };
  return xml !== undefined || /\bxml\b/.test(raw?.type ?? '') ? { type: 'xml' } : undefined;
}

/** The members whose value mentions an input, at any depth. */
function placesIn(node: unknown, part: string): [Input, { readonly name: string; readonly part: string }][] {
  if (Array.isArray(node)) return node.flatMap((each) => placesIn(each, part));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const texts = [value].flat().filter((each) => typeof each === 'string');
    const own = texts
      .flatMap(inputsIn)
      .map((input): [Input, { name: string; part: string }] => [input, { name, part }]);
    return own.length > 0 ? own : placesIn(value, part);
  });
}

/** Returns what a request contains; any query parameters if the profile does not describe the request. */
function expectedRequest({ data }: Profile, { key }: Operation): ExpectedRequest {
  const request = data.operations?.[key]?.request;
  if (!request) return { queryNames: null };
  const credentials = schemesOf(data, key).flatMap((scheme) => placesOf(scheme).query);
  const body = bodyOf(request);
  return {
    queryNames: [...Object.keys(request.query ?? {}), ...credentials, OFFSET_PARAMETER],
    singleNames: Object.entries(request.query ?? {}).flatMap(([name, value]) => (Array.isArray(value) ? [] : [name])),
    ...(body && { body }),
    places: Object.fromEntries([
      ...placesIn(request.json ?? request.form ?? {}, `in the ${request.json === undefined ? 'form' : 'JSON body'}`),
      ...placesIn(request.headers ?? {}, 'in the headers'),
      ...placesIn(request.query ?? {}, 'in the query'),
    ]),
  };
}

const malformed = (detail: string): Rejected => ({ kind: 'rejected', reason: 'malformed', detail });

/** Converts inputs to a query of the world. */
const queryOf = (
  { page: _p, offset: _o, cursor: _c, pageSize: _s, window, ...inputs }: ReadInputs,
  range: Partial<PageRange>,
  upc?: string,
): Query => ({
  ...inputs,
  ...(window !== undefined && { window: /^\d{1,3}$/.test(window) ? Number(window) : Number.NaN }),
  ...(upc !== undefined && { upc }),
  ...range,
});

/** Whether the credentials of a scheme become invalid: tokens and signatures do. */
const expires = (scheme: AuthScheme): boolean => ['token', 'signature'].includes(computedKindOf(scheme) ?? '');

const requiredSchemes = ({ data }: Profile, { key }: Operation): readonly AuthScheme[] =>
  data.authExcept?.includes(key) ? [] : schemesOf(data, key);

function clientCertificatesOf(profile: Profile): Pick<Dialect, 'clientCertificates'> {
  const served = OPERATIONS.filter(({ key }) => isImplemented(profile, key));
  const needing = served.filter((each) => requiredSchemes(profile, each).some(({ scheme }) => scheme === 'mtls'));
  if (needing.length === 0) return {};
  return { clientCertificates: needing.length === served.length ? 'every' : 'some' };
}

/**
 * Builds the dialect of a profile.
 *
 * @example startSimulator({ dialect: dialectOf(await loadProfile('acme.yaml')) })
 */
export function dialectOf(profile: Profile): Dialect {
  const { data } = profile;
  const { codecs, notSimulated, unwritable } = simulatedProfile(profile);
  const expected = new Map<string, ExpectedRequest>();
  let unmatchedExamples: readonly Unwritable[] = [];
  const schemes = schemesOf(data);
  const tokens = new IssuedTokens(schemes);
  /** Errors of paths that no operation has: refusals, if the profile states those for wrong methods. */
  const refusals = data.refusal?.some(({ like }) => like === 405) ? data.refusal : [];
  const unknownPath = { statuses: {}, schemas: new Map(), refusals, media: 'json', response: {} } as const;
  const prefixOf = ({ key, group }: Operation): string => data.prefixes?.[key] ?? data.prefixes?.[group] ?? '';

  const read = (request: DialectRequest & { readonly operation: Operation }): Query | Rejected => {
    const { operation, upc } = request;
    const refused = credentialProblem(request, requiredSchemes(profile, operation), tokens);
    if (refused !== undefined) return { kind: 'rejected', reason: 'unauthorized', detail: refused };
    const codec = codecs.get(operation.key) as OperationCodec;
    // A POST without a body lacks its inputs.
    const lacksBody = operation.method === 'POST' && request.body.length === 0;
    const inputs = codec.read(request) ?? (lacksBody ? {} : undefined);
    if (!inputs)
      return {
        kind: 'rejected',
        reason: 'unreadable',
        detail: 'the request does not match the template of the profile',
      };
    if (codec.needsWindow && inputs.window === undefined)
      return { kind: 'rejected', reason: 'missing', input: 'window', detail: 'the window is required' };
    const page = codec.response.paging ? pageRangeOf(codec.response.paging, inputs, request) : {};
    return page ? queryOf(inputs, page, upc) : malformed('the page does not exist');
  };
  return {
    name: data.name,
    statesRemovals: ((data.delta?.kinds || undefined)?.removed ?? []).length > 0,
    read,
    expects(operation) {
      const known = expected.get(operation.key) ?? expectedRequest(profile, operation);
      expected.set(operation.key, known);
      return known;
    },
    hasExpiringCredentials: schemes.some(expires),
    ...clientCertificatesOf(profile),
    loginUrls: tokens.urls,
    respondBeside: (request) =>
      tokens.respond(
        request,
        OPERATIONS.some(({ path }) => request.path.endsWith(path)),
      ),
    write(answer, request) {
      const codec = request.operation && codecs.get(request.operation.key);
      if (answer.kind === 'rejected' && answer.reason === 'unauthorized') {
        const reply = refuse(answer, codec ?? unknownPath);
        if (reply.status < 300) return reply;
        return { ...reply, headers: { ...reply.headers, 'www-authenticate': challengeOf(schemes) } };
      }
      if (!codec) return refuse(answer, unknownPath);
      const reason = notSimulated.get(codec.operation.key);
      if (reason !== undefined && describeAnswer(answer, data))
        return writeProblem({ status: 501, title: 'Not simulated', detail: reason });
      const address = request.base + prefixOf(codec.operation) + request.path;
      const reply = tokens.openSession(writeAnswer(answer, codec, request, address), request);
      return addStatusAddress(reply, answer, data, (each) => request.base + prefixOf(each) + each.path);
    },
    approximations: () => approximationSentences({ unwritable: [...unwritable, ...unmatchedExamples], notSimulated }),
    locate: locatorOf(profile, prefixOf),
    adaptWorld(world: World) {
      const aliases = new Aliases(data, world);
      unmatchedExamples = aliases.unmatched;
      return adaptWorld(data, world, aliases);
    },
  };
}

/** Returns a function that removes the prefix from a path. Its result is empty when the profile implements no operation there. */
function locatorOf(profile: Profile, prefixOf: (operation: Operation) => string): (path: string) => string {
  const prefixes = [...new Set(OPERATIONS.map(prefixOf))].toSorted((x, y) => y.length - x.length);
  const documentedAt = Map.groupBy<string, Operation>(OPERATIONS, ({ path }) => path);
  return (path) => {
    const prefix = prefixes.find((each) => path.startsWith(`${each}/`));
    if (prefix === undefined) return '';
    const rest = path.slice(prefix.length);
    const parent = rest.slice(0, rest.lastIndexOf('/'));
    const documented = [rest, `${parent}/{upc}`].flatMap((each) => documentedAt.get(each) ?? []);
    const served = documented.filter((each) => prefixOf(each) === prefix && isImplemented(profile, each.key));
    return documented.length > 0 && served.length === 0 ? '' : rest;
  };
}

/**
 * Adds the Location header to the start of a job, where the profile promises that it is the address of the job's status. If the profile reads the id in the query of Location, that query stays.
 * @param addressOf the URL of an operation, without query
 */
function addStatusAddress(
  reply: DialectResponse,
  answer: ModelAnswer,
  { jobs }: ProfileData,
  addressOf: (operation: Operation) => string,
): DialectResponse {
  if (answer.kind !== 'jobStarted' || !jobs?.[answer.jobKind]?.locationIsStatus) return reply;
  const status = operationOf(JOB_STATUS[answer.jobKind]);
  const [name = 'Location', own] = Object.entries(reply.headers).find(([each]) => /^location$/i.test(each)) ?? [];
  const query = own === undefined ? `?job=${encodeURIComponent(answer.jobId)}` : String(own).replace(/^[^?]*/, '');
  return { ...reply, headers: { ...reply.headers, [name]: `${addressOf(status)}${query}` } };
}

const loaded = new Map<string, Promise<Profile>>();

/** Builds the dialect of a bundled profile, which is loaded once. */
export async function bundledDialect(name: DialectName): Promise<Dialect> {
  const profile = loaded.get(name) ?? bundledData(name).then((data) => bundledProfile(data, `bundled:${name}`));
  loaded.set(name, profile);
  return dialectOf(await profile);
}
