/** Finds inputs that the next operation refuses, that find nothing, or that have no effect. */
import {
  ALL_PRODUCTS,
  type Field,
  type Input,
  type OperationKey,
  PAGING_INPUTS,
  PERFORMANCE_OPERATIONS,
  UPDATE_PRODUCTS,
} from '../../../contract/index.ts';
import { counted, quoted } from '../../../format-values.ts';
import type { Profile } from '../../../profile/schema.ts';
import { statusesOf } from '../../../profile/statuses.ts';
import { readResponses, textsOf } from './cells.ts';
import type { Received, Remark } from './types.ts';

/** Statuses that are about the values of a request. */
const REFUSED = new Set([400, 404, 406, 409, 410, 422]);

/** The input that a request was sent for: the last one. */
const inputOf = ({ inputs }: Received): Input | undefined => Object.keys(inputs).at(-1) as Input | undefined;

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => [...Map.groupBy(items, keyOf).values()];

/** Whether the service refused the values of a request. */
export function isValueRefused(profile: Profile, { status, isRefusal, operation }: Received): boolean {
  const { unknown = [], malformed = [] } = statusesOf(profile.data, operation);
  if (isRefusal) return true;
  // A 2xx that means “unknown” cannot be distinguished from one that contains the item.
  return status !== undefined && status >= 400 && (REFUSED.has(status) || [...unknown, ...malformed].includes(status));
}

/** Reports a source whose values the operation never accepts, or for which it never finds a row. */
function checkSource(profile: Profile, sent: readonly Received[]): Remark[] {
  const [first] = sent as [Received];
  const { operation, source = [] } = first;
  const input = inputOf(first) as Input;
  const refused = sent.filter((each) => isValueRefused(profile, each));
  const values = counted(sent.length, 'value');
  if (refused.length === sent.length) {
    const statuses = [...new Set(refused.map(({ status }) => status))].join(', ');
    return [
      {
        kind: 'doubt',
        path: source,
        sentence: `${operation} refuses ${values} as {${input}}, such as ${quoted(String(first.inputs[input]))}, with status ${statuses}; name the value that this operation accepts, or correct its request`,
      },
    ];
  }
  const read = readResponses(sent);
  const isEmpty = ({ rows, observation }: Received): boolean => rows.length === 0 && observation?.rows === 0;
  const hasRows = profile.data.operations?.[operation]?.response?.rows !== undefined;
  if (source[0] === 'examples' || !hasRows || read.length < sent.length || !read.every(isEmpty)) return [];
  // Items may have no children; lists that are filtered by a name of a row contain this row.
  if (operation.startsWith('POST')) return [];
  return [
    {
      kind: 'doubt',
      path: source,
      sentence: `${operation} finds no row for ${values} as {${input}}, such as ${quoted(String(first.inputs[input]))}; one may be a code and the other a name, or the request may have another parameter`,
    },
  ];
}

/** Reports an input whose values all get the same list, although the list has rows with other values. */
function checkEffect(received: readonly Received[], operation: OperationKey, input: Input): Remark[] {
  const read = readResponses(received, operation);
  const sent = read.filter((each) => inputOf(each) === input);
  const values = new Set(sent.map(({ inputs }) => inputs[input]));
  const path = ['operations', operation, 'request'];
  if (input === 'window') {
    const digests = new Set(sent.map(({ observation }) => observation.digest));
    const rows = sent[0]?.observation.rows ?? 0;
    if (values.size < 3 || digests.size > 1 || rows === 0) return [];
    return [
      {
        kind: 'doubt',
        path,
        sentence: `the responses to the windows ${[...values].join(', ')} are equal (${counted(rows, 'row')}); check the parameter of {window} and its spellings`,
      },
    ];
  }
  const unfiltered = read.find(({ inputs }) => Object.keys(inputs).length === 0);
  if (!unfiltered || sent.length === 0 || textsOf([unfiltered], input as Field).size < 2) return [];
  if (sent.some(({ observation }) => observation.digest !== unfiltered.observation.digest)) return [];
  return [
    {
      kind: 'doubt',
      path,
      sentence: `the response with {${input}} equals that without it (${counted(unfiltered.observation.rows, 'row')}); check the name of the parameter`,
    },
  ];
}

/** Checks what the service does with each value that the profile sends. */
export function checkInputs(profile: Profile, received: readonly Received[]): Remark[] {
  const withSource = received.filter(({ source, inputs }) => source && Object.keys(inputs).length > 0);
  const lists: readonly OperationKey[] = [ALL_PRODUCTS, UPDATE_PRODUCTS, ...PERFORMANCE_OPERATIONS];
  return [
    ...groupBy(withSource, (each) => JSON.stringify([each.operation, each.source, inputOf(each)])).flatMap((sent) =>
      checkSource(profile, sent),
    ),
    ...lists.flatMap((operation) => {
      const inputs = new Set(
        received.filter((each) => each.operation === operation).flatMap((each) => inputOf(each) ?? []),
      );
      return [...inputs]
        .filter((input) => !(PAGING_INPUTS as readonly Input[]).includes(input))
        .flatMap((input) => checkEffect(received, operation, input));
    }),
  ];
}
