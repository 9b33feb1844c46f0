/** Responses whose body can be cancelled although somebody clones them. It uses no module of Node. */

/** A stream whose `cancel` is settled at once. */
function detached(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      reader.cancel(reason).catch(() => undefined);
    },
  });
}

/**
 * Returns a response for msw 2, which clones each response for its listeners and reads no clone: by the Streams standard
 * `cancel` of one branch waits for the other, so that `await response.body.cancel()` would never end.
 */
export function cancellableResponse(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const tee = (): ReturnType<typeof body.tee> => {
    const [own, clone] = ReadableStream.prototype.tee.call(body) as ReturnType<typeof body.tee>;
    return [detached(own), clone];
  };
  return new Response(Object.assign(body, { tee }), { status, statusText, headers });
}
