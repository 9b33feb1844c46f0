/** What is said of a request no recording holds: the nearest ones it does hold, what differs, how to record it. */

import { shellWord } from '../../src/exchange/curl.ts';
import { MAIN_LANE } from '../../src/recording/format/lane-name.ts';
import { operationFinder } from '../../src/recording/format/operation-finder.ts';
import { flagValues, recordingOptionsOf } from '../../src/recording/format/recording-options.ts';
import type { Recording } from '../../src/recording/store/open-recording.ts';

/** How many recorded requests are named. */
const NEAREST = 3;
/** Values longer than this are cut in what is told. */
const LONGEST = 200;

export interface RequestDifference {
  /** `method`, `path`, `lane`, `sequence`, `query upc`, `header x-market`, `body`, `body category`, `body $.filter.brand[0]`. */
  readonly part: string;
  /** Absent: not there. */
  readonly asked?: string;
  readonly recorded?: string;
}

export interface Nearest {
  readonly request: string;
  readonly differs: readonly RequestDifference[];
}

export interface Miss {
  readonly miss: 'not recorded' | 'sequence at its end';
  /** In one sentence. */
  readonly says: string;
  readonly asked: string;
  readonly nearest: readonly Nearest[];
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
  return kind === 'json' ? leavesOf(JSON.parse(text), 'body $') : [['body', line]];
}

/** The values of a JSON document with the way to each; an empty list or object counts as one. */
function leavesOf(value: unknown, way: string): [string, string][] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0) return [[way, JSON.stringify(value)]];
  const step = (name: string): string =>
    Array.isArray(value) ? `[${name}]` : /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  return members.flatMap(([name, each]) => leavesOf(each, `${way}${step(name)}`));
}

/** A key taken apart again (`requestKey` wrote it, one line a part; a body may span several). */
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

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function differences(asked: Parts, recorded: Parts): RequestDifference[] {
  return [...new Set([...asked.keys(), ...recorded.keys()])]
    .filter((part) => asked.get(part) !== recorded.get(part))
    .map((part) => {
      const [here, there] = [asked.get(part), recorded.get(part)];
      return {
        part,
        ...(here !== undefined && { asked: cut(here) }),
        ...(there !== undefined && { recorded: cut(there) }),
      };
    });
}

/** How far apart two paths are: the number of segments in which they differ. */
function pathDistance(x: string, y: string): number {
  const [a, b] = [x.split('/'), y.split('/')];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  return Math.max(a.length, b.length) - same;
}

const summary = ({ part, asked, recorded }: RequestDifference): string => {
  if (recorded === undefined) return `${part} “${asked}” was not sent then`;
  return asked === undefined ? `${part} “${recorded}” is missing` : `${part} is “${asked}”, recorded “${recorded}”`;
};

/** What is known of a request that missed, beside its key. */
export interface MissResponse {
  readonly key: string;
  readonly lane: string;
  /** The suites ask what they always ask; any other client has to ask again. */
  readonly bySuites: boolean;
}

/**
 * What explains misses of one recording.
 * @param source of the profile, as a command line names it; the recording itself knows no more than what it calls itself
 */
export function missExplainer({ name, about, lanes }: Pick<Recording, 'name' | 'about' | 'lanes'>, source?: string) {
  const operationOf = operationFinder(about.basePath);
  const inputs = about.matching.headers.length;
  const named = source ?? about.profileSource?.as ?? 'FILE';
  const profile = about.profile === 'empty' ? '' : ` --profile ${shellWord(named)}`;
  // What the simulator was told, and what was scrubbed, last time: with anything else the recording would not be of one piece.
  const again = recordingOptionsOf(about).findLast(({ command }) => command === 'record') ?? {
    command: 'record',
    flags: [],
  };
  const flagsOf = (...names: string[]): string[] =>
    names.flatMap((flag) => flagValues(again, flag).map((each) => ` --${flag} ${shellWord(each)}`));
  const [others, filters] = [flagsOf('products', 'scrub'), flagsOf('group', 'operation', 'rule')];
  const safety = about.safety === undefined ? '' : ` --safety ${about.safety}`;
  const simulated = about.source === 'simulator';

  /** The command that records a request: what the suites ask, or whatever a client asks through it. */
  const recordWith = (parts: Parts, { lane, bySuites }: MissResponse): string => {
    const operation = operationOf(parts.get('method') ?? '', parts.get('path') ?? '');
    const address = simulated ? 'URL' : shellWord(`${about.upstream}${about.basePath}`);
    if (!bySuites || lane !== MAIN_LANE)
      return `mdwi gateway --upstream ${address} --name ${shellWord(name)}${profile}`;
    // Requests of no operation are asked for the sake of others: all is recorded again that was recorded.
    const only = operation ? ` --operation ${shellWord(operation)}` : filters.join('');
    const of = simulated ? ' --simulator' : ` --base-url ${address}`;
    return `mdwi record${of} --name ${shellWord(name)}${profile}${safety}${others.join('')}${only}`;
  };

  const told = (key: string): string => cut(key.split('\n', 1)[0] ?? '');

  return {
    /**
     * Explains why a key was not answered.
     * @param known the keys of the lane asked
     */
    notRecorded(missed: MissResponse, known: Iterable<string>): Miss {
      const { key, lane } = missed;
      const asked = partsOf(key, inputs);
      const [elsewhere] = [...lanes].find(([, answers]) => answers.has(key)) ?? [];
      if (elsewhere !== undefined) {
        const differs = [{ part: 'lane', asked: lane, recorded: elsewhere }];
        const says = `not recorded: ${told(key)} in the lane ${lane}; it is in the lane ${elsewhere}`;
        return {
          miss: 'not recorded',
          says,
          asked: key,
          nearest: [{ request: cut(key), differs }],
          record: recordWith(asked, missed),
        };
      }
      // Cheap first: most recorded requests are for other paths.
      const ranked = [...known]
        .map((each) => {
          const [head = ''] = each.split('\n', 1);
          const path = head.slice(head.indexOf(' ') + 1).split('?', 1)[0] ?? '';
          const otherMethod = head.startsWith(`${asked.get('method')} `) ? 0 : 1;
          return { key: each, far: 2 * pathDistance(path, asked.get('path') ?? '') + otherMethod };
        })
        .sort((x, y) => x.far - y.far);
      const least = ranked[0]?.far;
      const nearest = ranked
        .filter(({ far }) => far === least)
        .map((each) => ({ request: cut(each.key), differs: differences(asked, partsOf(each.key, inputs)) }))
        .sort((x, y) => x.differs.length - y.differs.length)
        .slice(0, NEAREST);
      const [first] = nearest;
      const differs = first
        ? `; nearest is ${first.request.split('\n', 1)[0]}: ${first.differs.map(summary).join(', ')}`
        : '';
      const says = `not recorded: ${told(key)}${differs}`;
      return { miss: 'not recorded', says, asked: key, nearest, record: recordWith(asked, missed) };
    },
    /** Explains why a sequence gives no more. */
    atItsEnd(missed: MissResponse, length: number): Miss {
      const { key } = missed;
      const says = `not recorded: ${told(key)} was answered ${length} time${length === 1 ? '' : 's'} when recorded, and is asked once more`;
      const differs = [{ part: 'sequence', asked: `${length + 1}`, recorded: `${length}` }];
      return {
        miss: 'sequence at its end',
        says,
        asked: key,
        nearest: [{ request: cut(key), differs }],
        record: recordWith(partsOf(key, inputs), missed),
      };
    },
  };
}
