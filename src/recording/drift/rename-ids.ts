/** Ids and cursors of now taken for those that stand in their place in the recording. */

/** Texts longer than that are no ids, and name none. */
const LONGEST = 500;
/** Shorter ids are taken for others only where nothing stands beside them. */
const TELLING = 6;

/** Puts ids of the recording in place of those of now; undefined where there are none. */
export function renameIds(renamed: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
  const other = new Map([...renamed].filter(([now, then]) => now !== then));
  if (other.size === 0) return undefined;
  const telling = [...other.keys()].filter((each) => each.length >= TELLING).sort((a, b) => b.length - a.length);
  const any =
    telling.length > 0 ? new RegExp(telling.map((each) => each.replace(/[^\w]/g, '\\$&')).join('|'), 'g') : undefined;
  return (text) => {
    if (text.length > LONGEST) return text;
    return other.get(text) ?? (any ? text.replace(any, (each) => other.get(each) ?? each) : text);
  };
}
