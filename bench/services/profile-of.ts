/** Writes the reference profile in the form that was drawn. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ProfileInput } from '../../src/profile/schema.ts';
import type { Draws } from './draws.ts';
import { hasCodes, isDeltaInOne, isPaged, type Notation, notationOf, refusalsAt } from './notation.ts';
import { type ReferenceResponse, responseOf } from './response-of.ts';

type Node = Record<string, unknown>;

interface ReferenceRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: Node;
}
interface ReferenceOperation {
  readonly request?: ReferenceRequest;
  readonly response?: ReferenceResponse;
  readonly statuses?: { readonly unknown?: unknown; readonly malformed?: unknown };
  readonly none?: readonly string[];
}
interface Reference extends Node {
  readonly operations: Readonly<Record<string, ReferenceOperation>>;
  readonly jobs: Readonly<Record<string, Node>>;
}

const REFERENCE: Reference = parse(
  readFileSync(new URL('../../src/profile/bundled/reference.yaml', import.meta.url), 'utf8'),
);

export function profileOf(name: string, draws: Draws): ProfileInput {
  const notation = notationOf(draws);
  const operations = Object.fromEntries(
    Object.entries(REFERENCE.operations).map(([key, operation]) => [key, operationOf(notation, key, operation)]),
  );
  const { dataWeek, delta, products, upc, metadata, figures, markets, catalogue, ...rest } = REFERENCE;
  const all = { dataWeek, delta, products, upc, metadata, figures, markets, catalogue };
  return {
    ...rest,
    ...(draws.promises === 'all' ? all : draws.promises === 'few' ? { dataWeek, delta, markets } : {}),
    name,
    description: 'A drawn service.',
    auth: draws.auth,
    ...(draws.prefix && { prefixes: { A: draws.prefix, B: draws.prefix, C: draws.prefix, D: draws.prefix } }),
    ...(hasCodes(notation) && { refusal: refusalsAt('$.errors[0].code') }),
    jobs: jobsOf(draws),
    operations,
  } as unknown as ProfileInput;
}

const jobsOf = ({ promises, states }: Draws): Node =>
  Object.fromEntries(
    Object.entries(REFERENCE.jobs).map(([kind, { start, ...promised }]) => [
      kind,
      {
        start,
        ...(promises === 'all' && promised),
        ...(promises !== 'none' && { patienceSeconds: 60 }),
        states: [...states],
        final: states.slice(2),
      },
    ]),
  );

function operationOf(notation: Notation, key: string, operation: ReferenceOperation): Node {
  const request = requestOf(notation, key, operation.request ?? {});
  const written = operation.response && responseOf(notation, key, operation.response);
  const none = [...new Set([...(operation.none ?? []), ...(written?.lacks ?? [])])];
  return {
    request,
    ...(written && { response: written.response }),
    ...(operation.statuses && { statuses: statusesOf(notation, operation.statuses) }),
    ...(none.length > 0 && { none }),
  };
}

function statusesOf(notation: Notation, statuses: NonNullable<ReferenceOperation['statuses']>): Node {
  const { unknown, malformed } = hasCodes(notation) ? { unknown: 404, malformed: 400 } : notation.draws;
  return {
    ...(statuses.unknown !== undefined && { unknown: [unknown] }),
    ...(statuses.malformed !== undefined && { malformed: [malformed] }),
  };
}

function requestOf(notation: Notation, key: string, { query, json }: ReferenceRequest): Node {
  const { draws } = notation;
  const hasWindow = query !== undefined && Object.values(query).includes('{window}');
  const parameters = query ? renamed(notation, query) : [];
  const needed = parameters.filter(([, value]) => value !== '{window}' || !isDeltaInOne(notation, key));
  const isInHeader = query?.jobId !== undefined && draws.statusBy === 'header';
  const pages = isPaged(notation, key) ? pageParameters(notation) : undefined;
  const all = { ...(!isInHeader && Object.fromEntries(needed)), ...pages };
  return {
    ...(isInHeader && { headers: { 'X-Ticket': '{jobId}' } }),
    ...((pages || Object.keys(all).length > 0) && { query: all }),
    ...(hasWindow && draws.window && { spellings: { window: draws.window } }),
    ...(json && (key.startsWith('POST /data-access') ? bodyOf(notation, json) : { json })),
  };
}

/** The members or parameters of inputs, by the names of the service. */
const renamed = ({ word }: Notation, members: Node): [string, unknown][] =>
  Object.entries(members).map(([name, value]) => {
    const input = /^\{(\w+)\}$/.exec(String(value))?.[1];
    return [input ? word(input) : name, value];
  });

function pageParameters({ draws, lists, word }: Notation): Node {
  const size = word('pageSize');
  switch (lists === 'same' ? draws.paging : 'link') {
    case 'page':
    case 'pageFrom0':
      return { [word('page')]: '{page}', [size]: '{pageSize}' };
    case 'offset':
      return { [word('offset')]: '{offset}', [size]: '{pageSize}' };
    case 'cursor':
      return { [word('cursor')]: '{cursor}' };
    default:
      return {};
  }
}

/** The body of a request of group B. */
function bodyOf(notation: Notation, json: Node): Node {
  const members = Object.fromEntries(renamed(notation, json));
  switch (notation.draws.body) {
    case 'form':
      return { form: members };
    case 'array':
      return { json: Object.values(members) };
    case 'nested':
      return { json: { [notation.word('query')]: members } };
    default:
      return { json: members };
  }
}
