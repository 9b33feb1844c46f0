/** Reads values from recorded exchanges as a profile declares. */

import type { OperationKey } from '../../contract/index.ts';
import { linkOf } from '../../exchange/headers.ts';
import { requestReader } from '../../profile/read-back/request-reader.ts';
import type { Profile } from '../../profile/schema.ts';
import { readBody } from '../../reading/read-body.ts';
import { Unconverted } from '../../reading/types.ts';
import { holdsAllWindows, readingPlanOf } from '../../run/fetch-request.ts';
import { targetOf } from '../format/entry.ts';
import type { LoadedResponse } from '../format/loaded-response.ts';
import type { EditableMessage } from './generated-id-values.ts';

/** Reads the values that a profile declares from recorded exchanges. */
export interface ProfileReader {
  /** All values read from a response, as text: equal texts mean equal responses. */
  valuesOf(operation: OperationKey, response: LoadedResponse): Promise<string>;
  /** The job ids and next-page tokens in a response; undefined if the profile declares no place for them. */
  idsIn(operation: OperationKey, response: LoadedResponse): Promise<readonly string[] | undefined>;
  /** The headers read from responses of an operation, in lower case; without the date, which is in the provenance. */
  headersOf(operation: OperationKey): ReadonlySet<string>;
  /** The ids and tokens in a request. */
  idsSent(operation: OperationKey, request: Required<EditableMessage>): readonly string[];
}

const WINDOWS = [1, 4, 13] as const;

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'latin1');
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Values as JSON with sorted members and rows: their order has no meaning. */
function sortedForComparison(_: string, value: unknown): unknown {
  if (value === undefined) return { missing: true };
  if (value instanceof Unconverted) return { unconverted: value.raw };
  if (Array.isArray(value)) return value.map((each) => sortedForComparison('', each)).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Creates the reader of a profile. */
export function createProfileReader(profile: Profile): ProfileReader {
  const readAll = async (operation: OperationKey, { status, reasonPhrase, headers, text = '' }: LoadedResponse) => {
    const windows = holdsAllWindows(profile, operation) ? WINDOWS : [undefined];
    const rows: unknown[] = [];
    const pages = [];
    for (const window of windows) {
      const plan = readingPlanOf(profile, operation, window === undefined ? {} : { window });
      pages.push(await readBody(plan, { status, reasonPhrase, headers }, oneChunk(text), (row) => rows.push(row)));
    }
    return { rows, pages };
  };
  const isRead = (operation: OperationKey, { status }: LoadedResponse): boolean =>
    status >= 200 && status < 300 && profile.data.operations?.[operation]?.response !== undefined;
  return {
    headersOf(operation) {
      const declared = JSON.stringify(profile.data.operations?.[operation]?.response ?? {});
      const names = [...declared.matchAll(/\$response\.header\.([\w-]+)/g)].map(([, name = '']) => name.toLowerCase());
      return new Set(names.filter((name) => name !== 'date'));
    },
    async valuesOf(operation, response) {
      if (!isRead(operation, response)) return '';
      const { rows, pages } = await readAll(operation, response);
      return JSON.stringify(
        {
          rows,
          pages: pages.map(({ values, next, problem, refusal }) => ({
            values,
            next,
            problem: problem?.kind,
            ...(refusal && { refusal: refusal.because }),
          })),
        },
        sortedForComparison,
      );
    },
    async idsIn(operation, response) {
      const declared = profile.data.operations?.[operation]?.response;
      const { paging } = declared ?? {};
      const isPaged = paging !== undefined && (paging.style === 'link' || 'next' in paging);
      if (!isRead(operation, response) || !(declared?.fields?.jobId || isPaged)) return undefined;
      const { rows, pages } = await readAll(operation, response);
      const ids = [...rows, ...pages.map(({ values }) => values)].flatMap((row) => (row as { jobId?: unknown }).jobId);
      const links = paging?.style === 'link' ? [linkOf(response.headers, paging.rel)] : [];
      return [...ids, ...pages.map(({ next }) => next), ...links].flatMap((each) =>
        typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
      );
    },
    idsSent(operation, { url, headers, text }) {
      const template = profile.data.operations?.[operation]?.request;
      if (!template) return [];
      const inputs = requestReader(template)({
        query: new URL(targetOf({ url }), 'http://any.invalid').searchParams,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        body: Buffer.from(text, 'latin1'),
      });
      return [inputs?.jobId, inputs?.cursor].filter((each) => each !== undefined);
    },
  };
}
