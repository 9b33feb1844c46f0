/** The files that `mdwi init` writes: the configuration, and a gate for CI. */
import { version } from '../../version.ts';

/** What the files are about. */
export interface Starter {
  /** The name of the target. */
  readonly name: string;
  /** The address of the service; undefined: the built-in simulator. */
  readonly baseUrl: string | undefined;
  /** The file of the profile, relative to the configuration. */
  readonly profile: string;
  /** Environment variables that the profile needs. */
  readonly variables: readonly string[];
  /** The folder of the configuration, relative to the root of the repository; empty: the root. */
  readonly folder: string;
  /** Whether the package is a dependency of the project. */
  readonly isDependency: boolean;
}

/** The name of a target as a key of YAML, which would read `1.10` as 1.1 and `null` as no name. */
const keyOf = (name: string): string => (/^(?!null$)[a-z]/i.test(name) ? name : JSON.stringify(name));

/** The configuration, with the settings to add next in comments. */
export function configText({ name, baseUrl, profile, variables }: Starter): string {
  const target =
    baseUrl === undefined
      ? `  ${keyOf(name)}:
    simulator: true
  # Your service, when there is one:
  # staging:
  #   baseUrl: https://staging.example/api
  #   profile: ${profile}`
      : `  ${keyOf(name)}:
    baseUrl: ${JSON.stringify(baseUrl)}
    profile: ${JSON.stringify(profile)}
    safety: read   # which requests may be sent: read, job, write, all`;
  const secrets = variables.length === 0 ? '# secrets: [MY_SERVICE_KEY]' : `secrets: [${variables.join(', ')}]`;
  return `# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/config.schema.json
# Targets of mdwi run NAME. node_modules/mdwi-conformance/docs/configuration.md describes every key.

targets:
${target}

# Environment variables whose values are hidden in everything that is written.
${secrets}

# Hosts to which CI may send more than safety: read.
# allowHosts: [staging.example]

# Reports of every run, a file for each format.
# reports: { json: run.json }
`;
}

const REPORTS = '--report json=run.json --report junit=report.xml --report markdown=report.md';

const installCommand = ({ isDependency }: Starter): string =>
  isDependency ? 'npm ci' : `npm install --no-save mdwi-conformance@${version()}`;

function githubText(starter: Starter): string {
  const { name, variables, folder } = starter;
  const env = variables.map((each) => `          ${each}: \${{ secrets.${each} }}\n`).join('');
  const path = (file: string) => (folder === '' ? file : `${folder}/${file}`);
  return `# A gate: the job fails if ${name} does not conform, and shows why.
name: conformance
on: [push]
jobs:
  conformance:
    runs-on: ubuntu-latest
${folder === '' ? '' : `    defaults: { run: { working-directory: ${JSON.stringify(folder)} } }\n`}    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: ${installCommand(starter)}
      - run: npx mdwi run ${name} ${REPORTS}
${env === '' ? '' : `        env:\n${env}`}      # The reports are there also when the run fails or is undetermined.
      - if: always()
        run: if [ -f report.md ]; then cat report.md >> "$GITHUB_STEP_SUMMARY"; fi
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conformance
          path: |
            ${path('run.json')}
            ${path('report.xml')}
            ${path('report.md')}
          if-no-files-found: ignore
`;
}

function gitlabText(starter: Starter): string {
  const { name, variables, folder } = starter;
  const path = (file: string) => (folder === '' ? file : `${folder}/${file}`);
  const needed =
    variables.length === 0 ? '' : `# Set in Settings > CI/CD > Variables, masked: ${variables.join(', ')}\n`;
  return `# A gate: the job fails if ${name} does not conform, and shows why.
${needed}conformance:
  image: node:24
  script:
${folder === '' ? '' : `    - cd ${JSON.stringify(folder)}\n`}    - ${installCommand(starter)}
    - npx mdwi run ${name} ${REPORTS}
  artifacts:
    # The reports are there also when the run fails or is undetermined.
    when: always
    reports:
      junit: ${path('report.xml')}
    paths:
      - ${path('run.json')}
      - ${path('report.md')}
`;
}

/** The CI systems with the file of each, relative to the root of the repository. */
export const CI_FILES = {
  github: { file: '.github/workflows/mdwi.yml', text: githubText, next: undefined },
  gitlab: {
    file: 'mdwi.gitlab-ci.yml',
    text: gitlabText,
    next: 'add to .gitlab-ci.yml: include: [{ local: mdwi.gitlab-ci.yml }]',
  },
} as const;

export type CiSystem = keyof typeof CI_FILES;

/** The values of `--ci`. */
export const CI_CHOICES: readonly string[] = [...Object.keys(CI_FILES), 'none'];
