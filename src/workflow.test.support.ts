/**
 * Runs the jobs of a GitHub workflow as far as no GitHub is needed: the shell of each step, expressions with GitHub's own
 * evaluator, composite actions, and in place of the actions that store files, folders. Other actions are refused.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';
import { MAIN } from './main.test.support.ts';
import { ROOT, writeCommands } from './packed-package.test.support.ts';
import { newFolder } from './resources.test.support.ts';

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly 'working-directory'?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export interface Machine {
  /** The folder that the steps work in. */
  readonly workspace: string;
  /** The folder that holds caches, artefacts and the files of the runner. */
  readonly store: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** The number of this run of the workflow. */
  readonly runId: number;
}

type Contexts = Readonly<Record<string, unknown>>;

/** The value of an expression; `failed`: an earlier step or job failed. */
function evaluate(expression: string, contexts: Contexts, failed: boolean): unknown {
  const statuses = { always: true, success: !failed, failure: failed, cancelled: false };
  const functions = Object.entries(statuses).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const tree = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  const dictionary = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  const value = new Evaluator(tree, dictionary, new Map(functions.map((each) => [each.name, each]))).evaluate();
  return value.kind === data.Kind.Boolean ? (value as data.BooleanData).value : value.coerceString();
}

const interpolate = (text: unknown, contexts: Contexts, failed: boolean): string =>
  String(text ?? '').replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts, failed)));

/** Whether a step or job runs: without a status function, only if nothing failed. */
function isWanted(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  const expression = (condition ?? 'success()').replace(/^\$\{\{(.*)\}\}$/, '$1');
  const whole = /\b(?:always|success|failure|cancelled)\(/.test(expression)
    ? expression
    : `success() && (${expression})`;
  return evaluate(whole, contexts, failed) === true;
}

/** The variables that a step wrote to a file of the runner. */
const variablesIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
};

/** The actions that store files, with their inputs. Paths are folders of the workspace. */
const ACTIONS: Readonly<Record<string, (inputs: Readonly<Record<string, string>>, machine: Machine) => void>> = {
  'actions/checkout@v4': () => undefined,
  'actions/setup-node@v4': () => undefined,
  'actions/cache@v4': () => undefined,
  'actions/cache/restore@v4': ({ path = '', key = '', 'restore-keys': prefix = key }, { workspace, store }) => {
    const caches = existsSync(join(store, 'caches')) ? readdirSync(join(store, 'caches')) : [];
    const [newest] = caches
      .filter((each) => each === key || each.startsWith(prefix))
      .sort()
      .reverse();
    if (newest !== undefined) copy(join(store, 'caches', newest), join(workspace, path));
  },
  'actions/cache/save@v4': ({ path = '', key = '' }, { workspace, store }) => {
    if (existsSync(join(workspace, path))) copy(join(workspace, path), join(store, 'caches', key));
  },
  'actions/upload-artifact@v4': (
    { name = '', path = '', 'if-no-files-found': absent },
    { workspace, store, runId },
  ) => {
    if (existsSync(join(workspace, path))) copy(join(workspace, path), join(store, `artefacts-${runId}`, name));
    else if (absent !== 'ignore') throw new Error(`${name}: ${path} is missing`);
  },
  'actions/download-artifact@v4': (
    { pattern = '', path = '', 'merge-multiple': merged },
    { workspace, store, runId },
  ) => {
    const folder = join(store, `artefacts-${runId}`);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.filter((each) => each.startsWith(pattern.replace('*', ''))))
      copy(join(folder, name), merged === 'true' ? join(workspace, path) : join(workspace, path, name));
  },
};

export interface JobResult {
  readonly result: 'success' | 'failure';
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

async function runShell(step: Step, cwd: string, env: Record<string, string>): Promise<{ code: unknown; log: string }> {
  const flags = step.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail'] : ['-e'];
  const child = spawn('bash', [...flags, '-c', step.run ?? ''], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, log };
}

let files = 0;

/** Runs steps in turn. A step that fails ends those after it, unless their condition says otherwise. */
async function runSteps(
  steps: readonly Step[],
  machine: Machine,
  contexts: Contexts,
  inherited: Readonly<Record<string, string>>,
): Promise<JobResult> {
  const outputs: Record<string, { outputs: Record<string, string> }> = {};
  let [failed, log, summary] = [false, '', ''];
  for (const step of steps) {
    const known = { ...contexts, steps: outputs };
    const fill = (text: unknown): string => interpolate(text, known, failed);
    if (!isWanted(step.if, known, failed)) continue;
    const env = {
      ...inherited,
      ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)])),
    };
    const inputs = Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, fill(value)]));
    if (step.uses?.startsWith('./')) {
      const folder = join(machine.workspace, step.uses);
      const action = parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action;
      const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
      const own = { ...contexts, inputs: { ...Object.fromEntries(defaults), ...inputs } };
      const done = await runSteps(action.runs.steps, machine, own, { ...env, GITHUB_ACTION_PATH: folder });
      failed ||= done.result === 'failure';
      log += done.log;
      summary += done.summary;
    } else if (step.uses) {
      const action = ACTIONS[step.uses];
      if (!action) throw new Error(`${step.uses}: the test has nothing in place of this action`);
      action(inputs, machine);
    } else {
      const file = (name: string): string => {
        const path = join(machine.store, `${name}-${++files}`);
        writeFileSync(path, '');
        return path;
      };
      const [GITHUB_OUTPUT, GITHUB_PATH, GITHUB_STEP_SUMMARY] = [file('output'), file('path'), file('summary')];
      const cwd = join(machine.workspace, fill(step['working-directory']));
      const done = await runShell({ ...step, run: fill(step.run) }, cwd, {
        ...machine.env,
        ...env,
        GITHUB_OUTPUT,
        GITHUB_PATH,
        GITHUB_STEP_SUMMARY,
        RUNNER_TEMP: machine.store,
      });
      failed ||= done.code !== 0;
      log += done.log;
      summary += readFileSync(GITHUB_STEP_SUMMARY, 'utf8');
      if (step.id) outputs[step.id] = { outputs: variablesIn(GITHUB_OUTPUT) };
    }
  }
  return { result: failed ? 'failure' : 'success', log, summary, outputs: outputs.judge?.outputs ?? {} };
}

/** Runs one job of a workflow. `matrix`: its combination; `needs`: whether the jobs before it failed. */
export async function runJob(
  job: { readonly if?: string; readonly steps: readonly Step[] },
  machine: Machine,
  {
    matrix = {},
    needsFailed = false,
  }: { readonly matrix?: Record<string, string>; readonly needsFailed?: boolean } = {},
): Promise<JobResult | undefined> {
  const contexts = {
    matrix,
    secrets: machine.secrets ?? {},
    github: { run_id: machine.runId, run_attempt: 1, token: 'token-of-the-test' },
    runner: { os: 'Linux', temp: machine.store },
    inputs: {},
  };
  if (!isWanted(job.if, contexts, needsFailed)) return undefined;
  return runSteps(job.steps, machine, contexts, {});
}

/** A folder with a project that has the package installed, and a folder for caches and artefacts. */
export function project(config: string): Omit<Machine, 'runId'> & { readonly fresh: () => void } {
  const home = newFolder();
  const [workspace, store] = [join(home, 'work'), join(home, 'store')];
  mkdirSync(store);
  const env = writeCommands(home, join(ROOT, 'node_modules'), MAIN);
  const fresh = (): void => {
    rmSync(workspace, { recursive: true, force: true });
    mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, join(workspace, 'node_modules/mdwi-conformance'));
    cpSync(join(home, 'bin/mdwi'), join(workspace, 'node_modules/.bin/mdwi'));
    writeFileSync(join(workspace, 'mdwi.config.yaml'), config);
  };
  fresh();
  return { workspace, store, env, fresh };
}
