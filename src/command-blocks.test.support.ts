/**
 * Runs the command blocks of a Markdown page in order, in one folder.
 *
 * - A block `yaml`, `ts`, `js` or `python` whose first line is a comment with a file name (`# acme.yaml`) is written to that file.
 * - A block `sh` runs in `bash -e`; exported variables stay for the next block. `sh exit=1` must end with this code.
 * - Each line of a block `sh servers` is a server until Ctrl-C. It is ended when the next one with its port starts, or at the
 *   end of the page.
 * - A block `sh clone` runs at the root of the clone. A block `sh in=FILE` is not run here; each command is a line of that file.
 * - A block `sh not-run="REASON"` cannot run here.
 * - Each line of a block `text output` is printed by some block of the page. `…` at its end is the rest of the line.
 * - `<!-- service: PROFILE -->` starts the simulator in this dialect in place of `https://staging.example/api`;
 *   `fault=NAME` after the profile adds a fault. `<!-- prelude` and lines of shell until `-->` prepare the folder.
 *
 * The date 2027-01-31 is a day in a year. Ports are free ones: `--port 8080` and `http://127.0.0.1:8080` in a page are one free port, selected by the first server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PackedPackage, packPackage, ROOT } from './packed-package.test.support.ts';
import { firstOutput } from './processes.test.support.ts';

export interface Block {
  readonly page: string;
  readonly line: number;
  /** The words after the three backticks; `service` or `prelude` for a comment. */
  readonly info: string;
  readonly text: string;
}

/** In place of the dates in pages on which waivers expire. */
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);

const SHELLS = ['sh', 'bash', 'shell', 'console', 'zsh', 'shell-session', 'powershell', 'cmd'];
const FORMS = /^sh(?: (?:exit=\d+|servers|clone|in=\S+|not-run="[^"]+"))?$/;
const FILE_NAME = /^(?:#|\/\/) ([\w.-]+(?:\/[\w.-]+)*\.(?:ya?ml|m?ts|m?js|py|json))\n/;

/** The fenced blocks and service comments of a page. Throws for a shell block in a form that is none of the above. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const fenced = /^```(?<info>[^\n]+)\n(?<body>.*?)^```$|^<!-- (?<directive>service|prelude)\b(?<rest>.*?)-->$/gms;
  const blocks = [...text.matchAll(fenced)].map(({ index, groups = {} }): Block => {
    const { info = groups.directive ?? '', body = groups.rest?.replace(/^:?\s+/, '').trimEnd() ?? '' } = groups;
    return { page, line: text.slice(0, index).split('\n').length, info, text: body };
  });
  for (const { info, line } of blocks)
    if (SHELLS.includes(info.split(' ')[0] ?? '') && !FORMS.test(info))
      throw new Error(`${page}:${line}: a command block is \`\`\`${info}, but must have the form ${FORMS}`);
  return blocks;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Ends a server as Ctrl-C does. Returns its exit code. */
async function interrupt(child: ChildProcess): Promise<unknown> {
  if (hasEnded(child)) return child.exitCode;
  child.kill('SIGINT');
  return (await once(child, 'close'))[0];
}

/** One page in one folder. */
export function openPage(installed: PackedPackage, variables: Readonly<Record<string, string>>) {
  const folder = installed.emptyFolder();
  const state = `${folder}.env`;
  const env = { ...installed.env, ...variables };
  /** The servers by the port in the page; the simulator of `service` has the key `service`. */
  const servers = new Map<string, { readonly child: ChildProcess; readonly url: string }>();
  const outputs: string[] = [];

  const located = (text: string): string =>
    text
      .replace(
        /https:\/\/staging\.example\/api|http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/g,
        (address, port = 'service') => servers.get(port)?.url ?? address,
      )
      .replaceAll('2027-01-31', NEXT_YEAR)
      .replace(/ --(?<flag>port|control-port) (?<port>\d+)/g, (_, flag: string, port: string) => {
        const url = servers.get(port)?.url;
        const free = flag === 'port' ? '' : ' --control-port 0';
        return url === undefined ? free : ` --${flag} ${new URL(url).port}`;
      });

  const shell = (script: string, cwd: string): ChildProcess =>
    spawn(
      'bash',
      [
        '-e',
        '-o',
        'pipefail',
        '-c',
        `[ ! -f '${state}' ] || . '${state}'; trap 'export -p > "${state}"' EXIT\n${script}`,
      ],
      { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
    );

  /** Starts a server in place of the one with this key. */
  async function start(key: string, command: string, controlKey?: string): Promise<void> {
    const former = servers.get(key);
    if (former) await interrupt(former.child);
    const child = spawn('bash', ['-c', `exec ${command}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const text = await firstOutput(child);
    const [url] = /https?:\/\/[\w.:[\]-]+\w/.exec(text) ?? [];
    if (url === undefined) throw new Error(`${command}: no address in its first output: ${text}`);
    servers.set(key, { child, url });
    const [controlUrl] = /(?<=^control: )http:\/\/[\w.:-]+/m.exec(text) ?? [];
    if (controlKey !== undefined && controlUrl !== undefined) servers.set(controlKey, { child, url: controlUrl });
  }

  /** Runs one block. Throws with its output if it does not end as it must. */
  async function run({ info, text, page, line }: Block): Promise<void> {
    const [language = '', form = ''] = info.split(/ (.*)/s);
    const at = `${page}:${line}`;
    const [, name] = FILE_NAME.exec(text) ?? [];
    if (info === 'service') {
      const [profile = '', fault] = text.split(' fault=');
      await start('service', `mdwi simulate --profile ${profile}${fault ? ` --fault ${fault}` : ''}`);
    } else if (language !== 'sh' && language !== 'prelude') {
      if (name === undefined) return;
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), located(text));
    } else if (form === 'servers') {
      for (const command of text
        .trim()
        .split('\n')
        .map((each) => each.replace(/\s+#.*$/, '')))
        await start(
          / --port (\d+)/.exec(command)?.[1] ?? command,
          located(command),
          / --control-port (\d+)/.exec(command)?.[1],
        );
    } else if (form.startsWith('in=')) {
      const file = readFileSync(join(ROOT, form.slice(3)), 'utf8')
        .split('\n')
        .map((each) => each.trim());
      for (const command of text
        .trim()
        .split('\n')
        .map((each) => each.replace(/\s+#.*$/, '')))
        if (!file.some((each) => each === command || each.startsWith(`${command} --silent`)))
          throw new Error(`${at}: ${form.slice(3)} does not run ${command}`);
    } else if (!form.startsWith('not-run')) {
      const child = shell(located(text), form === 'clone' ? ROOT : folder);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output += chunk;
        });
      const [code] = await once(child, 'close');
      outputs.push(output);
      const expected = form.startsWith('exit=') ? Number(form.slice(5)) : 0;
      if (code !== expected) throw new Error(`${at}: ended with ${code}, not ${expected}:\n${text}\n${output}`);
    }
  }

  return {
    folder,
    run,
    /** Ends the servers. Returns the exit code of each. */
    close: () => Promise.all([...servers.values()].map(({ child }) => interrupt(child))),
    /** The lines of the page's `text output` blocks that no command has printed. */
    unprinted: (blocks: readonly Block[]): string[] =>
      blocks
        .filter(({ info }) => info === 'text output')
        .flatMap(({ text }) => text.split('\n'))
        .filter((line) => !outputs.some((output) => output.includes(line.replace(/…$/, '').trim()))),
  };
}

export const BLOCKS: readonly Block[] = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort().flatMap(blocksOf);
export const isCommand = ({ info }: Block): boolean => info.split(' ')[0] === 'sh';

/** Defines a test for each selected page with commands. Returns the package, which exists while tests run. */
export function testPages(isSelected: (page: string) => boolean): () => PackedPackage {
  let installed: PackedPackage;
  beforeAll(() => {
    installed = packPackage();
  });
  afterAll(() => installed.remove());

  const pages = new Set(BLOCKS.filter(isCommand).map(({ page }) => page));
  for (const page of [...pages].filter(isSelected))
    test(`the commands of ${page} do what the page says`, async () => {
      const { run, unprinted, close } = openPage(installed, { ACME_KEY: 'acme-key-of-the-tests' });
      onTestFinished(async () => {
        await close();
      });
      const blocks = BLOCKS.filter((each) => each.page === page);
      for (const block of blocks) await run(block);
      expect(unprinted(blocks)).toEqual([]);
      expect(await close()).toEqual(expect.not.arrayContaining([1, 2, 70]));
    });
  return () => installed;
}
