/** Explains a request that is not recorded: the nearest recorded ones, the differences, and the command that records it. */

import { shellWord } from '../../src/exchange/curl.ts';
import { operationFinder } from '../../src/exchange/operation-finder.ts';
import { MAIN_LANE } from '../../src/recording/format/names.ts';
import { flagValues, recordingOptionsOf } from '../../src/recording/format/recording-options.ts';
import type { Recording } from '../../src/recording/store/open-recording.ts';

/** How many recorded requests a miss lists. */
const MAX_NEAREST = 3;
/** Longer values are cut in messages. */
const MAX_VALUE_LENGTH = 200;

export interface RequestDifference {
  /** `method`, `path`, `lane`, `sequence`, `query upc`, `header x-market`, `body`, `body category`, `body $.filter.brand[0]`. */
  readonly part: string;
  /** The value in the sent request; absent: the sent request lacks this part. */
  readonly asked?: string;
  /** The value in the recorded request; absent: the recorded request lacks this part. */
  readonly recorded?: string;
}

export interface Nearest {
  readonly request: string;
  readonly differs: readonly RequestDifference[];
}

export interface Miss {
  readonly miss: 'not recorded' | 'sequence at its end';
  /** The explanation in one sentence. */
  readonly says: string;
  /** The key of the sent request. */
  readonly asked: string;
  readonly nearest: readonly Nearest[];
  /** The command that records the request. */
  readonly record: string;
}

type Parts = ReadonlyMap<string, string>;

const pairsOf = (kind: string, text: string): [string, string][] =>
  text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [`${kind} ${pair}`, ''] : [`${kind} ${pair.slice(0, at)}`, pair.slice(at + 1)];
    });

function bodyParts(line: string): [string, string][] {
  const [, kind = '', text = ''] = /^(\w+) (.*)$/s.exec(line) ?? [];
  if (text.startsWith('sha256-')) return [['body', line]];
  if (kind === 'form') return pairsOf('body', text);
  return kind === 'json' ? valuesOf(JSON.parse(text), 'body $') : [['body', line]];
}

/** The values of a JSON document, each with its path; an empty array or object counts as a value. */
function valuesOf(value: unknown, path: string): [string, string][] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0) return [[path, JSON.stringify(value)]];
  const step = (name: string): string =>
    Array.isArray(value) ? `[${name}]` : /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return members.flatMap(([name, each]) => valuesOf(each, `${path}${step(name)}`));
}

/** Parses a key that `requestKey` wrote: one part per line; a body may span several lines. */
function partsOf(key: string, inputs: number): Parts {
  const lines = key.split('\n');
  const [, method = '', target = ''] = /^(\S*) (.*)$/s.exec(lines[0] ?? '') ?? [];
  const mark = target.indexOf('?');
  const headers = lines.slice(1, 1 + inputs).flatMap((line): [string, string][] => {
    const at = line.indexOf(': ');
    const [name, value] = [line.slice(0, at), line.slice(at + 2)];
    if (value === '') return [];
    return [[name.startsWith('?') ? `query ${name.slice(1)}` : `header ${name}`, value]];
  });
  const body = lines.slice(1 + inputs).join('\n');
  const parts: [string, string][] = [
    ['method', method],
    ['path', mark < 0 ? target : target.slice(0, mark)],
    ...(mark < 0 ? [] : pairsOf('query', target.slice(mark + 1))),
    ...headers,
    ...(body === '' ? [] : bodyParts(body)),
  ];
  const merged = new Map<string, string>();
  for (const [name, value] of parts) merged.set(name, merged.has(name) ? `${merged.get(name)}, ${value}` : value);
  return merged;
}

const truncate = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;

function differences(sent: Parts, recorded: Parts): RequestDifference[] {
  return [...new Set([...sent.keys(), ...recorded.keys()])]
    .filter((part) => sent.get(part) !== recorded.get(part))
    .map((part) => {
      const [sentValue, recordedValue] = [sent.get(part), recorded.get(part)];
      return {
        part,
        ...(sentValue !== undefined && { asked: truncate(sentValue) }),
        ...(recordedValue !== undefined && { recorded: truncate(recordedValue) }),
      };
    });
}

/** The number of segments after the common beginning of two paths. */
function pathDistance(x: string, y: string): number {
  const [a, b] = [x.split('/'), y.split('/')];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  return Math.max(a.length, b.length) - same;
}

const summary = ({ part, asked, recorded }: RequestDifference): string => {
  if (recorded === undefined) return `${part} “${asked}” is not in the recorded request`;
  return asked === undefined ? `${part} “${recorded}” is missing` : `${part} is “${asked}”, recorded “${recorded}”`;
};

/** A request that is not recorded. */
export interface MissedRequest {
  readonly key: string;
  readonly lane: string;
  /** Whether the suites sent it: `mdwi record` sends it again. Any other client has to send its request through the gateway. */
  readonly bySuites: boolean;
}

/**
 * Returns the functions that explain the misses of one recording.
 * @param source of the profile, as a command line names it; default: the name in the recording
 */
export function missExplainer({ name, about, lanes }: Pick<Recording, 'name' | 'about' | 'lanes'>, source?: string) {
  const operationOf = operationFinder(about.basePath);
  const inputs = about.matching.headers.length;
  const profileFile = source ?? about.profileSource?.as ?? 'FILE';
  const profile = about.profile === 'empty' ? '' : ` --profile ${shellWord(profileFile)}`;
  // The options of the last run: with other ones the new exchanges would not match the old ones.
  const lastRun = recordingOptionsOf(about).findLast(({ command }) => command === 'record') ?? {
    command: 'record',
    flags: [],
  };
  const flagsOf = (...names: string[]): string[] =>
    names.flatMap((flag) => flagValues(lastRun, flag).map((each) => ` --${flag} ${shellWord(each)}`));
  const [otherFlags, filterFlags] = [flagsOf('products', 'scrub'), flagsOf('group', 'operation', 'rule')];
  const safety = about.safety === undefined ? '' : ` --safety ${about.safety}`;
  const simulated = about.source === 'simulator';

  /** The command that records a request: of the suites, or of a client through the gateway. */
  const recordCommand = (parts: Parts, { lane, bySuites }: MissedRequest): string => {
    const operation = operationOf(parts.get('method') ?? '', parts.get('path') ?? '');
    const address = simulated ? 'URL' : shellWord(`${about.upstream}${about.basePath}`);
    if (!bySuites || lane !== MAIN_LANE)
      return `mdwi gateway --upstream ${address} --name ${shellWord(name)}${profile}`;
    // A request of no operation prepares requests of other operations: the command records all of them again.
    const operationFlag = operation ? ` --operation ${shellWord(operation)}` : filterFlags.join('');
    const targetFlag = simulated ? ' --simulator' : ` --base-url ${address}`;
    return `mdwi record${targetFlag} --name ${shellWord(name)}${profile}${safety}${otherFlags.join('')}${operationFlag}`;
  };

  const requestLine = (key: string): string => truncate(key.split('\n', 1)[0] ?? '');

  return {
    /**
     * Explains why no recorded request has a key.
     * @param recordedKeys the keys of the lane
     */
    notRecorded(missed: MissedRequest, recordedKeys: Iterable<string>): Miss {
      const { key, lane } = missed;
      const sent = partsOf(key, inputs);
      const [otherLane] = [...lanes].find(([, responses]) => responses.has(key)) ?? [];
      if (otherLane !== undefined) {
        const differs = [{ part: 'lane', asked: lane, recorded: otherLane }];
        const message = `not recorded: ${requestLine(key)} in the lane ${lane}; it is in the lane ${otherLane}`;
        return {
          miss: 'not recorded',
          says: message,
          asked: key,
          nearest: [{ request: truncate(key), differs }],
          record: recordCommand(sent, missed),
        };
      }
      // The paths are compared first, because that is cheap and excludes most recorded requests.
      const ranked = [...recordedKeys]
        .map((each) => {
          const [head = ''] = each.split('\n', 1);
          const path = head.slice(head.indexOf(' ') + 1).split('?', 1)[0] ?? '';
          const otherMethod = head.startsWith(`${sent.get('method')} `) ? 0 : 1;
          return { key: each, distance: 2 * pathDistance(path, sent.get('path') ?? '') + otherMethod };
        })
        .sort((x, y) => x.distance - y.distance);
      const leastDistance = ranked[0]?.distance;
      const nearestRequests = ranked
        .filter(({ distance }) => distance === leastDistance)
        .map((each) => ({ request: truncate(each.key), differs: differences(sent, partsOf(each.key, inputs)) }))
        .sort((x, y) => x.differs.length - y.differs.length)
        .slice(0, MAX_NEAREST);
      const [first] = nearestRequests;
      const differs = first
        ? `; the nearest recorded request is ${first.request.split('\n', 1)[0]}: ${first.differs.map(summary).join(', ')}`
        : '';
      const message = `not recorded: ${requestLine(key)}${differs}`;
      return {
        miss: 'not recorded',
        says: message,
        asked: key,
        nearest: nearestRequests,
        record: recordCommand(sent, missed),
      };
    },
    /** Explains why a sequence has no further response. */
    atItsEnd(missed: MissedRequest, length: number): Miss {
      const { key } = missed;
      const message = `not recorded: ${requestLine(key)} has ${length} recorded response${length === 1 ? '' : 's'}, and this is request ${length + 1}`;
      const differs = [{ part: 'sequence', asked: `${length + 1}`, recorded: `${length}` }];
      return {
        miss: 'sequence at its end',
        says: message,
        asked: key,
        nearest: [{ request: truncate(key), differs }],
        record: recordCommand(partsOf(key, inputs), missed),
      };
    },
  };
}
