/** Base addresses (section 4: every path is appended to one). */

/** Checks a base address at the door; throws an Error of one sentence. Returns it without trailing slashes. */
export function checkBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`“${text}” is no URL: give the base address like https://host/prefix`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`“${text}” is no http(s) address: the base address starts with http:// or https://`);
  }
  if (url.search || url.hash)
    throw new Error(
      `“${text}” carries a query or fragment: paths are appended to the base address, so it ends in its path`,
    );
  if (url.username || url.password)
    throw new Error('the base address carries credentials: put them into the profile’s auth');
  return text.replace(/\/+$/, '');
}
