/** Checks that the redaction receipt fits the recording, and scans the recording for secrets. */

import { mediaTypeOf } from '../../exchange/headers.ts';
import { operationFinder } from '../../exchange/operation-finder.ts';
import { type MessageContext, Protection, type ProtectionOptions } from '../../secrets/hide-in-exchange.ts';
import { REDACTION_RULES } from '../../secrets/redaction-receipt.ts';
import { scanForLeaks } from '../../secrets/scan.ts';
import { fromHarEntry } from '../format/entry.ts';
import type { StoredBody } from '../format/recorded-exchange.ts';
import type { Provenance } from '../format/schema.ts';
import { contentDigest, PROVENANCE, readWithin } from '../store/recording-files.ts';
import { entryName, problem, type RecordingProblem } from './finding.ts';
import type { FolderOnDisk } from './read-folder.ts';

/** Checks the receipt of the scan that was made when the recording was recorded. */
export async function checkReceipt({ folder }: FolderOnDisk, { redaction }: Provenance): Promise<RecordingProblem[]> {
  const file = PROVENANCE;
  if (redaction.scan === 'pending')
    return [
      problem('not scanned', 'is not yet scanned for secrets: the recorder was killed, or is still running', { file }),
    ];
  const findings: RecordingProblem[] = [];
  if (redaction.contents !== undefined && redaction.contents !== (await contentDigest(folder)))
    findings.push(
      problem(
        'changed since scan',
        'the receipt is for other contents: files were edited, merged or removed after the scan',
        { file },
      ),
    );
  const unknown = REDACTION_RULES.filter((each) => !redaction.rules.includes(each));
  const missed = unknown.length > 0 ? `, which did not search for ${unknown.join(', ')}` : '';
  if (redaction.canary === undefined || redaction.contents === undefined || unknown.length > 0)
    findings.push(problem('scan incomplete', `the scan was made by an older version${missed}`, { file }));
  return findings;
}

/** Bodies above this size are scanned for declared values only. */
const SCANNED_BYTES = 8 * 1024 * 1024;

/**
 * Scans for secrets: first for declared values in every form and file, then, in each entry, for everything that the current
 * patterns hide. A finding never contains the secret.
 */
export async function findSecrets(
  { folder, lanes }: FolderOnDisk,
  { basePath }: Provenance,
  options: ProtectionOptions,
): Promise<RecordingProblem[]> {
  const findings: RecordingProblem[] = [];
  const declared = new Protection(options);
  for (const { file, name, form, offset } of (await scanForLeaks(folder, declared.registry)).leaks)
    findings.push(
      problem(
        'secret',
        `${offset < 0 ? 'the name of the file' : `byte ${offset}`} holds a secret (${name}, form ${form})`,
        { file },
      ),
    );
  const operationOf = operationFinder(basePath);
  const protection = new Protection({ ...options, keepPlaceholders: true });
  const bytesOf = (body: StoredBody): Buffer | undefined => {
    if ('text' in body) return Buffer.from(body.text, 'utf8');
    if (body.bytes > SCANNED_BYTES) return undefined;
    try {
      return readWithin(folder, body.file);
    } catch {
      return undefined;
    }
  };
  // A value from a response that a client sends back is a handle, not a secret.
  for (const { har } of lanes)
    for (const entry of har.log.entries) {
      const { response } = fromHarEntry(entry);
      for (const [, value] of response?.headers ?? []) protection.registry.publicHandles.note(value);
      const bytes = response?.body && bytesOf(response.body);
      if (bytes) protection.registry.publicHandles.note(bytes.toString('latin1'));
    }
  for (const { file, har } of lanes)
    for (const entry of har.log.entries) {
      const { key, request, response } = fromHarEntry(entry);
      const isInterfaceData = operationOf(request.method, request.url.replace(/^https?:\/\/[^/]*/, '')) !== undefined;
      const reportSecret = (place: string): void =>
        void findings.push(
          problem('secret', `${place} holds what looks like a secret`, { file, entry: entryName(key) }),
        );
      const sides = [
        { ...request, side: 'request', data: isInterfaceData } as const,
        ...(response
          ? [{ ...response, side: 'response', data: isInterfaceData && response.status < 300 } as const]
          : []),
      ];
      for (const { side, headers, body, data: isData } of sides) {
        const messageContext: MessageContext = { side, type: mediaTypeOf(headers).type, isInterfaceData: isData };
        for (const [name, value] of headers)
          if (protection.header(name, value, messageContext) !== value)
            reportSecret(`the header ${name} of the ${side}`);
        const bytes = body && bytesOf(body);
        if (bytes && !protection.bytes(bytes, messageContext).equals(bytes)) reportSecret(`the body of the ${side}`);
      }
      if (protection.url(request.url, { side: 'request', isInterfaceData }) !== request.url) reportSecret('the URL');
    }
  return findings;
}
