import {createHash} from 'node:crypto';
import {buffer} from 'node:stream/consumers';
import {builtInEmoji} from '#content/emoji.ts';
import type {WebResponse, WebRoute} from '#server/http/route.ts';
import {firstFrameOfGif} from '#server/uploads/is-animated.ts';
import {animatedGif, emojiFolder, stillFolder} from '#server/views/custom-emoji.ts';
import {publicImage} from './public-image.ts';

const emojiDataFolder = '/static/generated/emoji';
let emojiData: {readonly path: string; readonly body: string} | undefined;

/** Returns the table of Unicode emoji. Its path contains a hash, because clients never fetch a path again. */
export function emojiDataFile(): {readonly path: string; readonly body: string} {
  if (emojiData !== undefined) return emojiData;
  const body = JSON.stringify({code_to_names: builtInEmoji().codeToNames});
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  emojiData = {path: `${emojiDataFolder}/emoji_api.${hash}.json`, body};
  return emojiData;
}

/** The routes of custom emoji images and of the standard emoji table. Both need no credentials. */
export const emojiWebRoutes: readonly WebRoute[] = [
  {
    method: 'GET',
    path: `/user_avatars/${emojiFolder}/:file`,
    run: async ({server, path}) => (await publicImage(server, emojiFolder, path.file)) ?? notFound,
  },
  {
    method: 'GET',
    path: `/user_avatars/${stillFolder}/:file`,
    async run({server, path: {file = ''}}) {
      const image = file.endsWith(animatedGif) ? await publicImage(server, emojiFolder, file) : undefined;
      const stored = image === undefined ? undefined : await server.files.open(`${emojiFolder}/${file}`);
      if (image === undefined || stored === undefined) return notFound;
      const body = firstFrameOfGif(await buffer(stored.stream()));
      return {...image, headers: {...image.headers, 'content-length': String(body.length)}, body};
    },
  },
  {
    method: 'GET',
    path: `${emojiDataFolder}/:file`,
    run: async ({path}) => {
      const {path: dataPath, body} = emojiDataFile();
      if (dataPath !== `${emojiDataFolder}/${path.file}`) return notFound;
      return {
        status: 200,
        headers: {'content-type': 'application/json', 'cache-control': 'public, max-age=31536000, immutable'},
        body,
      };
    },
  },
];

const notFound: WebResponse = {
  status: 404,
  headers: {'content-type': 'text/plain; charset=utf-8'},
  body: 'No such emoji.\n',
};
