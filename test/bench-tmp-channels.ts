import {startServer} from '#server/server.ts';
import {channelSets} from '#server/views/channel-sets.ts';
import {findUser} from '#server/db/users.ts';
import {findChannel} from '#server/db/channels.ts';
import {subscribeUsers, unsubscribeUsers} from '#server/actions/subscriptions.ts';
import {topicsOf} from '#server/db/topics.ts';
import type {UserRow} from '#server/db/rows.ts';
const {world, close} = await startServer({log: () => {}});
const {db} = world;
const now = Math.floor(Date.now() / 1000);
db.exec('BEGIN');
db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<50000)
 INSERT INTO user (delivery_email,email_key,full_name,name_key,joined_at) SELECT 'u'||i||'@x.y','u'||i||'@x.y','U'||i,'u'||i,${now-9e6} FROM n`);
db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000)
 INSERT INTO channel (name,name_key,created_at,invite_only) SELECT 'c'||i,'c'||i,${now-9e6}, i%4=0 FROM n`);
db.exec(`INSERT INTO presence (user_id, active_at, update_id) SELECT id, ${now}, id FROM user WHERE id % 5 = 0`);
db.exec(`INSERT OR IGNORE INTO subscription (user_id, channel_id) SELECT u.id, 1 + (u.id*7919 + k.value*104729) % 2000 FROM user u, json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]') k`);
db.exec(`INSERT OR IGNORE INTO subscription (user_id, channel_id) SELECT u.id, 1 FROM user u`);
db.exec(`UPDATE channel SET subscriber_count = (SELECT COUNT(*) FROM subscription s WHERE s.channel_id=channel.id AND s.active = 1)`);
db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200000)
 INSERT INTO message (sender_id,channel_id,topic,topic_key,content,sent_at) SELECT 5, 1+(i%2)*(i%2000), 'Topic '||(i%5000), 'topic '||(i%5000),'x',${now}-400000+i FROM n`);
db.exec(`INSERT INTO user_message SELECT 1 + id % 50000, id, 1 FROM message`);
db.exec('COMMIT');
const user = findUser(db, 500) as UserRow;
const time = (name: string, f: () => unknown) => { for (let k=0;k<2;k++){const t = performance.now(); const r = f(); const ms=performance.now()-t; console.log(name, ms.toFixed(1)+' ms', JSON.stringify(r)?.length);} };
for (const includeSubscribers of ['false','partial','true'] as const)
 time('sets '+includeSubscribers, () => channelSets({world, now}, user, {includeArchived: true, nullNotifications: true, includeSubscribers}));
time('topics', () => topicsOf(db, 1).length);
const all = db.pluck('SELECT id FROM user');
const ch = findChannel(db, 2)!;
time('subscribe all', () => world.act((act) => subscribeUsers(act, user, ch, all).added.length));
time('unsubscribe all', () => world.act((act) => unsubscribeUsers(act, ch, all).length));
await close();
