/** Replaces current ids and cursors by those at the same place in the recording. */

/** Longer texts are not ids and contain none. */
const MAX_TEXT_LENGTH = 500;
/** Shorter ids are replaced only if they are the whole text. */
const DISTINCTIVE_LENGTH = 6;

/** Returns a function that replaces current ids by recorded ones; undefined if there are none. */
export function renameIds(renamed: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
  const replacements = new Map([...renamed].filter(([now, then]) => now !== then));
  if (replacements.size === 0) return undefined;
  const distinctive = [...replacements.keys()]
    .filter((each) => each.length >= DISTINCTIVE_LENGTH)
    .sort((a, b) => b.length - a.length);
  const pattern =
    distinctive.length > 0
      ? new RegExp(distinctive.map((each) => each.replace(/[^\w]/g, '\\$&')).join('|'), 'g')
      : undefined;
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH) return text;
    return replacements.get(text) ?? (pattern ? text.replace(pattern, (each) => replacements.get(each) ?? each) : text);
  };
}
