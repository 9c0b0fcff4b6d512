import {compileLinkifier} from '#content/linkifier.ts';
import type {RenderContext} from '#content/render/render-options.ts';

const ids = {
  channel: new Map([
    ['general', 3],
    ['ops', 4],
  ]),
  user: new Map([
    ['Iago', 5],
    ['Zoe', 7],
  ]),
};
const ticket = compileLinkifier({pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://trac.example.com/{id}'});

/** A render context whose user is Iago. */
export const renderContext: RenderContext = {
  realmUrl: 'https://chat.example.com',
  selfId: 5,
  userByName: (name) => {
    const id = ids.user.get(name);
    return id === undefined ? undefined : {id, fullName: name, isActive: true};
  },
  userById: (id) => {
    const name = [...ids.user].find(([, known]) => known === id)?.[0];
    return name === undefined ? undefined : {id, fullName: name, isActive: true};
  },
  groupByName: (name) => (name === 'devs' ? {id: 9, name, isSystem: false, isActive: true} : undefined),
  isInGroup: (id) => id === 9,
  channelByName: (name) => {
    const id = ids.channel.get(name);
    return id === undefined ? undefined : {id};
  },
  customEmoji: (name) => (name === 'party' ? {id: '1', sourceUrl: '/e/1.png'} : undefined),
  linkifiers: ticket === undefined ? [] : [ticket],
};
