// The verdict from the bundle's graphs, without Python:  node score.mjs BUNDLE ARRAYS.json
// ARRAYS.json is what prepare.py writes. In a browser the same runs with fetch in place of readFile.
import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-web";

const [bundle, file] = process.argv.slice(2);
const config = JSON.parse(await readFile(`${bundle}/config.json`, "utf8"));
const arrays = JSON.parse(await readFile(file, "utf8"));
const open = async (name) => ort.InferenceSession.create(await readFile(`${bundle}/${name}.onnx`));
const [encoder, text, head] = await Promise.all(["encoder", "text", "head"].map(open));

const KINDS = { uint8: Uint8Array, int64: BigInt64Array, float32: Float32Array };
const unpack = ({ type, shape, data }) => // with a batch of one in front
  new ort.Tensor(type, new KINDS[type](Uint8Array.from(Buffer.from(data, "base64")).buffer), [1, ...shape]);
const ones = (count) => new ort.Tensor("bool", new Uint8Array(count).fill(1), [1, count]);
const join = (tensors) => { // (1, n, d) one behind the other, along n
  const width = tensors[0].dims[2], data = tensors.flatMap((t) => [...t.data]);
  return new ort.Tensor("float32", Float32Array.from(data), [1, data.length / width, width]);
};
const encode = async (view, name) => { // one screen's details, or its thumbnail
  const patches = unpack(view[name]), mask = ones(patches.dims[1]);
  return (await encoder.run({ patches, place: unpack(view.place), mask })).features;
};

// Details may be none (nothing changed, no point); an empty text has no word pieces.
const views = arrays.views.filter((view) => view.place.shape[0]);
const pre = [], post = [], words = [], part = [];
for (const view of views) {
  pre.push(await encode(view, "pre"));
  post.push(await encode(view, "post"));
}
for (const [index, packed] of arrays.texts.entries()) {
  const ids = unpack(packed), count = ids.dims[1];
  if (!count) continue;
  words.push((await text.run({ ids, mask: ones(count) })).features);
  part.push(...Array(count).fill(BigInt(index)));
}
const geometry = join(views.map((view) => unpack(view.geometry)));
const { success, outcome } = await head.run({
  pre: join(pre), post: join(post), mask: ones(geometry.dims[1]), geometry,
  text: join(words), text_mask: ones(part.length),
  text_part: new ort.Tensor("int64", BigInt64Array.from(part), [1, part.length]), facts: unpack(arrays.facts),
});

const { threshold, unsure } = config.decision; // from here on as viscritic/verdict.py, judge()
const failures = config.trained_outcomes.filter((name) => name !== "success");
const weights = failures.map((name) => Math.exp(outcome.data[config.classes.indexOf(name)]));
const share = Math.max(...weights) / weights.reduce((a, b) => a + b);
const chance = Math.min(1 / (1 + Math.exp(-success.data[0] / config.temperature)), arrays.nothing ? unsure[0] : 1);
const worst = arrays.nothing ? "no_op" : failures[weights.indexOf(Math.max(...weights))];
const ok = chance >= threshold && !arrays.nothing;
const state = arrays.nothing ? "pending"
  : (unsure[0] < chance && chance < unsure[1]) || (ok && (1 - chance) * share > chance) ? "unsure"
  : ok ? "confirmed" : worst === "timeout" ? "pending" : "failed";
console.log(JSON.stringify({ state, success: chance, outcome: ok ? "success" : worst }));
