import type {ServerContext} from '#server/context.ts';
import type {WebResponse} from '#server/http/route.ts';
import {imageTypeByName} from '#std/media-type.ts';

/** Returns the response with an image that everybody may see; undefined if the folder has no such image. */
export async function publicImage(server: ServerContext, folder: string, name = ''): Promise<WebResponse | undefined> {
  const type = /^[a-z0-9-]+\.[a-z]+$/.test(name) ? imageTypeByName(name) : undefined;
  const file = type === undefined ? undefined : await server.files.open(`${folder}/${name}`);
  if (file === undefined || type === undefined) return undefined;
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-length': String(file.size),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: file.stream(),
  };
}
