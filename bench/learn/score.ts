/** The figures of the issue: what is counted, and the table with goals. */
import type { Mode } from './descriptions.ts';

/** The counts of all services in one mode. */
export interface Score {
  services: number;
  /** The learner threw an error, or its profile is invalid. */
  broken: number;
  /** The written file is not the learned profile. */
  otherwise: number;
  right: number;
  wrong: number;
  /** Settled bindings beyond the true profile that nothing decides. */
  undecided: number;
  /** Bindings of the true profile, of operations that answered. */
  bindings: number;
  settled: number;
  /** Operations that answered, of those that the service implements. */
  answered: number;
  implemented: number;
  questions: number[];
  promises: number;
  /** Services of which the second file differs from the first. */
  unstable: number;
  learnedTwice: number;
  /** Conforming services that fail with the learned profile. */
  accused: number;
  judged: number;
  proved: number;
  provable: number;
  caught: number;
  catchable: number;
  /** Of the faults that the ceiling catches: those that the profile of the faulty service catches, leaves open, or names. */
  owned: number;
  learnedFaulty: number;
  /** Faulty services of which a wrong binding was settled that is right without the fault. */
  adopted: number;
  lines: number[];
  strangerLines: number[];
  strangerComments: number[];
  requests: number[];
  seconds: number[];
  /** How often a key is wrong, not settled or undecided. */
  readonly tally: Map<string, number>;
}

export const emptyScore = (): Score => ({
  ...{
    services: 0,
    broken: 0,
    otherwise: 0,
    right: 0,
    wrong: 0,
    undecided: 0,
    bindings: 0,
    settled: 0,
    answered: 0,
    implemented: 0,
  },
  ...{
    promises: 0,
    unstable: 0,
    learnedTwice: 0,
    accused: 0,
    judged: 0,
    proved: 0,
    provable: 0,
    caught: 0,
    catchable: 0,
  },
  ...{
    owned: 0,
    learnedFaulty: 0,
    adopted: 0,
    questions: [],
    lines: [],
    strangerLines: [],
    strangerComments: [],
    requests: [],
    seconds: [],
    tally: new Map(),
  },
});

/** A figure: its value as a text, and whether it reaches its goal; undefined: it was not measured, or has no goal. */
interface Figure {
  readonly text: string;
  readonly goal?: string;
  readonly holds?: boolean;
}

const UNMEASURED: Figure = { text: '–' };

const share = (part: number, whole: number, goal: number): Figure =>
  whole === 0
    ? UNMEASURED
    : {
        text: `${((100 * part) / whole).toFixed(1)} % of ${whole}`,
        goal: `≥ ${goal} %`,
        holds: part >= (goal / 100) * whole,
      };

const none = (count: number, of: number): Figure =>
  of === 0 ? UNMEASURED : { text: `${count}`, goal: '0', holds: count === 0 };

const most = (values: readonly number[], goal?: number): Figure => {
  if (values.length === 0) return UNMEASURED;
  const sorted = values.toSorted((one, other) => one - other);
  const [median, max] = [sorted[Math.floor(sorted.length / 2)] as number, sorted.at(-1) as number];
  const text = (value: number) => String(Number(value.toFixed(1)));
  const shown = { text: `${text(max)}, median ${text(median)}` };
  return goal === undefined ? shown : { ...shown, goal: `≤ ${goal}`, holds: max <= goal };
};

/** What a description makes possible, and what is possible without. A poor description has the goal of none. */
const goalOf = (mode: Mode): number => (mode === 'description' ? 90 : 65);

const FIGURES: Readonly<Record<string, (score: Score, mode: Mode) => Figure>> = {
  'settled bindings that are right': ({ right, wrong }) => share(right, right + wrong, 99),
  '  beyond the true profile, undecided': ({ undecided }) => ({ text: `${undecided}` }),
  'bindings of answering operations that are settled': ({ settled, bindings }, mode) =>
    share(settled, bindings, goalOf(mode)),
  '  operations that answered': ({ answered, implemented }) => ({ text: `${answered} of ${implemented}` }),
  '  questions': ({ questions }) => most(questions, 10),
  'services without a valid profile': ({ broken, services }) => none(broken, services),
  'written files that read otherwise': ({ otherwise, services }) => none(otherwise, services),
  'files that differ when learned again': ({ unstable, learnedTwice }) => none(unstable, learnedTwice),
  'conforming services that fail': ({ accused, judged }) => none(accused, judged),
  'checks beyond empty, of the ceiling': ({ proved, provable }, mode) => share(proved, provable, goalOf(mode)),
  'faults caught, of the ceiling': ({ caught, catchable }, mode) => share(caught, catchable, goalOf(mode)),
  'learned from the faulty service: caught, open or named': ({ owned, learnedFaulty }) =>
    share(owned, learnedFaulty, 100),
  '  settled into the file': ({ adopted, learnedFaulty }) => none(adopted, learnedFaulty),
  'promises asserted': ({ promises, services }) => none(promises, services),
  lines: ({ lines }) => most(lines),
  'lines of a stranger': ({ strangerLines }) => most(strangerLines, 140),
  'comments of a stranger': ({ strangerComments }) => most(strangerComments, 100),
  requests: ({ requests }, mode) => most(requests, mode === 'none' ? 300 : 150),
  'seconds of a stranger': ({ seconds }) => most(seconds, 10),
};

/** The table of figures, one column per mode. */
export function tableOf(scores: ReadonlyMap<Mode, Score>): string {
  const heads = [...scores].map(([mode, { services }]) => `${mode}, ${services} services`);
  const rows = Object.entries(FIGURES).map(([name, figure]) => {
    const cells = [...scores].map(([mode, score]) => {
      const { text, goal, holds } = figure(score, mode);
      return holds === undefined ? text : `${text} [${goal}] (${holds ? 'held' : 'broken'})`;
    });
    return [name, ...cells];
  });
  const table = [['figure', ...heads], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length))) ?? [];
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The keys that are wrong or not settled most often. */
export const tallyOf = (scores: ReadonlyMap<Mode, Score>): string =>
  [...scores]
    .map(([mode, { tally }]) => {
      const sorted = [...tally].toSorted(([, one], [, other]) => other - one).slice(0, 40);
      return `${mode}: ${sorted.map(([name, count]) => `${name} ${count}`).join('; ')}`;
    })
    .join('\n');
