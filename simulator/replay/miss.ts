/** What is said of a request no recording holds: the nearest ones it does hold, what differs, how to record it. */
import { operationFinder } from '../../src/exchange/har/operation.ts';
import type { Provenance } from '../../src/exchange/har/schema.ts';

/** How many recorded requests are named. */
const NEAREST = 3;
/** Values longer than this are cut in what is told. */
const LONGEST = 200;

export interface Difference {
  /** `method`, `path`, `lane`, `query upc`, `header x-market`, `body`, `body category`. */
  readonly part: string;
  /** Absent: not there. */
  readonly asked?: string;
  readonly recorded?: string;
}

export interface Nearest {
  readonly request: string;
  readonly differs: readonly Difference[];
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
  const value: unknown = kind === 'json' ? JSON.parse(text) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [['body', line]];
  return Object.entries(value).map(([name, each]) => [`body ${name}`, JSON.stringify(each)]);
}

/** A key taken apart again (`requestKey` wrote it, one line a part; a body may span several). */
function partsOf(key: string, inputs: number): Parts {
  const lines = key.split('\n');
  const [, method = '', target = ''] = /^(\S*) (.*)$/s.exec(lines[0] ?? '') ?? [];
  const mark = target.indexOf('?');
  const headers = lines.slice(1, 1 + inputs).map((line): [string, string] => {
    const at = line.indexOf(': ');
    return [`header ${line.slice(0, at)}`, line.slice(at + 2)];
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

function differences(asked: Parts, recorded: Parts): Difference[] {
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

const summary = ({ part, asked, recorded }: Difference): string => {
  if (recorded === undefined) return `${part} “${asked}” was not sent then`;
  return asked === undefined ? `${part} “${recorded}” is missing` : `${part} is “${asked}”, recorded “${recorded}”`;
};

const word = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** What explains misses of one recording. */
export function missExplainer(name: string, about: Provenance) {
  const operationOf = operationFinder(about.basePath);
  const inputs = about.matching.headers.length;

  /** The command that records a request: the suites ask the operations, a client all else. */
  const recordWith = (parts: Parts): string => {
    const operation = operationOf(parts.get('method') ?? '', parts.get('path') ?? '');
    const address = word(`${about.upstream}${about.basePath}`);
    const simulated = about.source === 'simulator';
    const profile = about.profile === 'empty' ? '' : ` --profile ${word(about.profile)}`;
    const safety = about.safety === undefined ? '' : ` --safety ${about.safety}`;
    if (!operation && !simulated) return `mdwi gateway --upstream ${address} --name ${word(name)}${profile}`;
    const of = simulated ? '' : ` --base-url ${address}`;
    const only = operation ? ` --operation ${word(operation)}` : '';
    return `mdwi record${of} --name ${word(name)}${profile}${safety}${only}`;
  };

  return {
    /**
     * Explains why a key was not answered.
     * @param known the keys of the lane asked
     */
    notRecorded(key: string, known: Iterable<string>): Miss {
      const asked = partsOf(key, inputs);
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
      const says = `not recorded: ${cut(key.split('\n', 1)[0] ?? '')}${differs}`;
      return { miss: 'not recorded', says, asked: key, nearest, record: recordWith(asked) };
    },
    /** Explains why a sequence gives no more. */
    atItsEnd(key: string, length: number): Miss {
      const says = `not recorded: ${cut(key.split('\n', 1)[0] ?? '')} was answered ${length} time${length === 1 ? '' : 's'} when recorded, and is asked once more`;
      return { miss: 'sequence at its end', says, asked: key, nearest: [], record: recordWith(partsOf(key, inputs)) };
    },
  };
}
