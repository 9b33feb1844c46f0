/** `mdwi openapi`: writes an OpenAPI 3.1 description of the interface in the dialect of a profile. */

import { writeNamedFile } from '../atomic-write.ts';
import { baseUrlOf } from '../commands/selection.ts';
import { printable } from '../exchange/printable.ts';
import { loadProfile } from '../profile/load.ts';
import { describeDialect } from '../profile/openapi/write/describe-dialect.ts';
import { documentWriter } from '../profile/openapi/write/write-document.ts';
import { EXIT } from '../run/exit-codes.ts';
import { secretKindOfHeader } from '../secrets/credential-names.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { sampleExchanges } from './openapi/sample-exchanges.ts';
import { type Command, parse } from './parse-flags.ts';
import { OPENAPI_FLAGS } from './usage/other.ts';

export const openapi: Command = async (args) => {
  const { values } = parse(args, OPENAPI_FLAGS);
  const { profile: source = 'reference', out, server = 'http://localhost:8080' } = values;
  const write = documentWriter(out ?? 'openapi.json');
  if (!write) throw new UsageError(`--out ${JSON.stringify(out)}: the description is a .json, .yaml or .yml file`);
  const address = baseUrlOf(server);
  // Without the environment, no value of a variable can reach the description.
  const profile = await loadProfile(source, {}, 'keep');
  const { document, omitted } = describeDialect(profile, {
    server: address,
    samples: await sampleExchanges(profile, (sentence) => notify('openapi', sentence)),
    isSecretHeader: (name) => secretKindOfHeader(name) !== undefined,
  });
  for (const each of omitted)
    process.stderr.write(`left out: ${printable(each)}: a description cannot contain code or credentials\n`);
  const text = write(document);
  if (out === undefined) process.stdout.write(text);
  else {
    await writeNamedFile(out, text);
    process.stdout.write(`${printable(out)} written\n`);
  }
  return EXIT.ok;
};
