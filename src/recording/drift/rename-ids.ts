/** Replaces current ids and cursors by those at the same place in the recording. */

/** Longer texts are not ids and contain none. */
const LONGEST = 500;
/** Shorter ids are replaced only if they are the whole text. */
const DISTINCTIVE_LENGTH = 6;

/** Returns a function that replaces current ids by recorded ones; undefined if there are none. */
export function renameIds(renamed: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
  const other = new Map([...renamed].filter(([now, then]) => now !== then));
  if (other.size === 0) return undefined;
  const distinctive = [...other.keys()]
    .filter((each) => each.length >= DISTINCTIVE_LENGTH)
    .sort((a, b) => b.length - a.length);
  const any =
    distinctive.length > 0
      ? new RegExp(distinctive.map((each) => each.replace(/[^\w]/g, '\\$&')).join('|'), 'g')
      : undefined;
  return (text) => {
    if (text.length > LONGEST) return text;
    return other.get(text) ?? (any ? text.replace(any, (each) => other.get(each) ?? each) : text);
  };
}
