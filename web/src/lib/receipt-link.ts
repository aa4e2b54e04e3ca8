// A receipt behind the `#` of a link, which no browser sends to a server: compressed, so that a code of it can be scanned.

import { MOST_BYTES } from '../receipt/text';

async function through(
  bytes: BlobPart,
  by: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = new Blob([bytes]).stream().pipeThrough(by).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      return null;
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A receipt as the end of a link. */
export async function pack(receipt: string): Promise<string> {
  const packed = (await through(receipt, new CompressionStream('deflate-raw'))) ?? new Uint8Array();
  const text = btoa(String.fromCharCode(...packed));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What a link held; none where that is not one of ours, or larger than a receipt. */
export async function unpack(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    return await through(packed, new DecompressionStream('deflate-raw'));
  } catch {
    return null;
  }
}
