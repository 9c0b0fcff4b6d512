import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {playgroundTemplate, type WirePlayground} from '#wire/objects/organization.ts';
import {savedList} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

type Playground = CamelKeys<Omit<WirePlayground, 'url_prefix' | 'url_template'>> & {
  readonly urlTemplate: string;
};

function playgroundFromWire(wire: WirePlayground): Playground {
  const {url_template: _template, url_prefix: _prefix, ...rest} = wire;
  return {...camelKeys(rest), urlTemplate: playgroundTemplate(wire)};
}

export const playgrounds: Slice<readonly Playground[], 'realm_playgrounds'> = {
  initial: [],
  registered: fromSnapshot(['realm_playgrounds'], ({realm_playgrounds = []}) =>
    realm_playgrounds.map(playgroundFromWire),
  ),
  saved: savedList({name: 'string'}),
  appliers: {
    realm_playgrounds: (before, event) => keepIfEqual(before, event.realm_playgrounds.map(playgroundFromWire)),
  },
};
