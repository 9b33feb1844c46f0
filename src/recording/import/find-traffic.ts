/** Finds the traffic that an argument of the command line names: HAR files, or a recording. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Provenance, RecordingError } from '../format/schema.ts';
import { openRecording } from '../store/open-recording.ts';
import { HAR, PROVENANCE } from '../store/recording-files.ts';

/** The traffic that an argument of the command line names. */
export type TrafficSource =
  | { readonly files: readonly string[] }
  | { readonly recording: { readonly dir: string; readonly name: string; readonly about: Provenance } };

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function recordingAt(folder: string): TrafficSource {
  const dir = dirname(folder);
  const name = basename(folder);
  return { recording: { dir, name, about: openRecording(dir, name).about } };
}

/**
 * Finds the traffic that an argument names: a HAR file, a folder of HAR files, or a recording by folder or name. Throws a
 * RecordingError whose message is one sentence.
 * @param dir the folder of all recordings
 */
export function findTraffic(argument: string, dir: string): TrafficSource {
  // The path of a lane’s HAR file selects the whole recording, because long bodies are stored beside it.
  if (isFile(argument))
    return isFile(join(dirname(argument), '..', PROVENANCE)) && basename(argument) === HAR
      ? recordingAt(join(dirname(argument), '..'))
      : { files: [argument] };
  if (isFolder(argument)) {
    if (isFile(join(argument, PROVENANCE))) return recordingAt(join(argument, '.'));
    const files = readdirSync(argument).filter((each) => /\.har(?:\.gz)?$/i.test(each) && isFile(join(argument, each)));
    if (files.length > 0) return { files: files.sort().map((each) => join(argument, each)) };
    if (!isFile(join(dir, argument, PROVENANCE)))
      throw new RecordingError(`the folder ${argument} holds neither HAR files nor a recording`);
  }
  if (/\.har(?:\.gz)?$/i.test(argument) || /[\\/]/.test(argument))
    throw new RecordingError(`${argument}: there is no such file or folder`);
  return recordingAt(join(dir, argument));
}
