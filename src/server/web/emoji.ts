import {emojiData} from '#content/emoji.ts';
import type {WebResponse, WebRoute} from '#server/http/route.ts';
import {imageType} from '#server/uploads/image-kind.ts';
import {emojiFolder} from '#server/views/custom-emoji.ts';

export const emojiDataPath = '/static/generated/emoji/emoji_api.json';

/** The routes of custom emoji images and of the standard emoji table. Both need no credentials. */
export const emojiWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: `/user_avatars/${emojiFolder}/:file`,
    run: async ({server, path}) => {
      const name = path.file ?? '';
      const type = /^[a-z0-9-]+\.[a-z]+$/.test(name) ? imageType(name) : undefined;
      const file = type === undefined ? undefined : await server.files.open(`${emojiFolder}/${name}`);
      if (file === undefined || type === undefined) return notFound;
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
    },
  },
  {
    method: 'GET',
    path: emojiDataPath,
    run: async () => ({
      status: 200,
      headers: {'content-type': 'application/json', 'cache-control': 'public, max-age=86400'},
      body: JSON.stringify(emojiData()),
    }),
  },
];

const notFound: WebResponse = {
  status: 404,
  headers: {'content-type': 'text/plain; charset=utf-8'},
  body: 'No such emoji.\n',
};
