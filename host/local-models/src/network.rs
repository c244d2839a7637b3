//! The network: from tokens to scores of the next one.
//!
//! It is the decoder that `llama` and `qwen2` have in common: they differ in which numbers a rotation pairs and in a bias.
//! It is written here on candle's kernels, and not taken from candle's ready-made models, whose cache of keys and values
//! cannot be cut back to a shared prefix, which keep a mask for each length ever seen, widen the embedding to 32 bits
//! (half a gigabyte for Qwen2.5-0.5B) and hold at most 4,096 tokens of a `llama`.

use crate::cache::SLOTS;
use crate::gguf::{Unfit, Weights};
use crate::kernels::Product;
use candle_core::quantized::{QMatMul, QTensor};
use candle_core::{DType, Device, Module, Result, Tensor};
use candle_nn::RmsNorm;
use candle_nn::ops::softmax_last_dim;
use candle_nn::rotary_emb::{rope, rope_i};

/// The architectures that are known here, by their names in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    /// Llama and what is built like it. A rotation pairs neighbours.
    Llama,
    /// Qwen2 and Qwen2.5. A rotation pairs the halves of a head; queries, keys and values have a bias.
    Qwen2,
}

impl Architecture {
    /// The architecture that the file names.
    pub(crate) fn of(weights: &Weights) -> std::result::Result<Self, Unfit> {
        match weights.text("general.architecture")? {
            "llama" => Ok(Architecture::Llama),
            "qwen2" => Ok(Architecture::Qwen2),
            other => Err(Unfit::Unsupported(format!("its architecture is `{other}`; expected `llama` or `qwen2`"))),
        }
    }

    /// Its name in the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Architecture::Llama => "llama",
            Architecture::Qwen2 => "qwen2",
        }
    }
}

/// A product with a matrix, and a sum with a vector where there is one.
struct Linear {
    weight: Product,
    bias: Option<Tensor>,
}

impl Linear {
    fn apply(&self, input: &Tensor) -> Result<Tensor> {
        let product = self.weight.of(input)?;
        match &self.bias {
            Some(bias) => product.broadcast_add(bias),
            None => Ok(product),
        }
    }
}

/// Keys and values of all tokens so far of one conversation in one layer: `[1, groups, context, width]`.
struct Seen {
    keys: Tensor,
    values: Tensor,
}

/// One layer, with what is kept of each conversation.
struct Layer {
    before_attention: RmsNorm,
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    before_feed: RmsNorm,
    gate: Linear,
    up: Linear,
    down: Linear,
    seen: Vec<Seen>,
}

/// The sizes of attention.
#[derive(Clone, Copy)]
struct Heads {
    /// Heads that ask.
    count: usize,
    /// Heads that are asked: each serves `count / groups` of them.
    groups: usize,
    /// Numbers of a head.
    width: usize,
}

/// A network with its weights.
pub(crate) struct Network {
    architecture: Architecture,
    heads: Heads,
    embedding: QMatMul,
    layers: Vec<Layer>,
    last: RmsNorm,
    output: Product,
    cosines: Tensor,
    sines: Tensor,
    /// The conversation that is read and written.
    slot: usize,
}

impl Network {
    /// Goes on with the conversation in this slot, below [`SLOTS`].
    pub(crate) fn choose(&mut self, slot: usize) {
        self.slot = slot;
    }

    /// Reads a network that holds `context` tokens at most.
    pub(crate) fn read(
        weights: &mut Weights,
        architecture: Architecture,
        context: usize,
    ) -> std::result::Result<Self, Unfit> {
        let name = architecture.name();
        let length = weights.number(&format!("{name}.embedding_length"))?;
        let count = weights.number(&format!("{name}.attention.head_count"))?;
        let groups = weights.number(&format!("{name}.attention.head_count_kv"))?;
        let heads = Heads { count, groups, width: length.checked_div(count).unwrap_or(0) };
        if groups == 0 || heads.width * count != length || !count.is_multiple_of(groups) {
            return Err(Unfit::Broken(format!("{length} numbers do not divide over {count} heads in {groups} groups")));
        }
        let turned = weights.optional_number(&format!("{name}.rope.dimension_count")).unwrap_or(heads.width);
        let scaled = weights.content.tensor_infos.contains_key("rope_freqs.weight")
            || weights.content.metadata.contains_key(&format!("{name}.rope.scaling.type"));
        let experts = weights.optional_number(&format!("{name}.expert_count")).unwrap_or(0);
        if turned != heads.width || !heads.width.is_multiple_of(2) || scaled || experts > 0 {
            let what = "partial or scaled rotations and experts are not supported";
            return Err(Unfit::Unsupported(format!("{what} in `{name}`")));
        }
        let base = weights.fraction(&format!("{name}.rope.freq_base"))?;
        let epsilon = f64::from(weights.fraction(&format!("{name}.attention.layer_norm_rms_epsilon"))?);
        let layers = weights.number(&format!("{name}.block_count"))?;

        let mut read = Reader { weights, epsilon };
        let embedding = read.tensor("token_embd.weight")?;
        // Rows to look up and rows to multiply with are not laid out in the same way.
        let output = read.tensor(if read.has("output.weight") { "output.weight" } else { "token_embd.weight" })?;
        let layers = (0..layers)
            .map(|number| read.layer(number, heads, context))
            .collect::<std::result::Result<Vec<_>, Unfit>>()?;
        let last = read.norm("output_norm.weight")?;
        let (cosines, sines) = rotations(heads.width, base, context)?;
        Ok(Network {
            architecture,
            heads,
            embedding: QMatMul::from_qtensor(embedding)?,
            layers,
            last,
            output: Product::new(output)?,
            cosines,
            sines,
            slot: 0,
        })
    }

    /// Reads tokens whose first stands at `place`: everything before it must have been read. What stood there or behind it
    /// is forgotten. Gives what [`Network::scores`] needs.
    pub(crate) fn read_tokens(&mut self, tokens: &[u32], place: usize) -> Result<Tensor> {
        let count = tokens.len();
        let ids = Tensor::new(tokens, &Device::Cpu)?;
        let mut state = self.embedding.embedding(&ids)?;
        let cosines = self.cosines.narrow(0, place, count)?;
        let sines = self.sines.narrow(0, place, count)?;
        let mask = match count {
            1 => None,
            _ => Some(mask(count, place)?),
        };
        for layer in &self.layers {
            let input = layer.before_attention.forward(&state)?;
            let turn = |numbers: &Tensor| match self.architecture {
                Architecture::Llama => rope_i(numbers, &cosines, &sines),
                Architecture::Qwen2 => rope(numbers, &cosines, &sines),
            };
            let query = turn(&by_head(&layer.query.apply(&input)?, self.heads.count, self.heads.width)?)?;
            let key = turn(&by_head(&layer.key.apply(&input)?, self.heads.groups, self.heads.width)?)?;
            let value = by_head(&layer.value.apply(&input)?, self.heads.groups, self.heads.width)?;
            let Some(seen) = layer.seen.get(self.slot) else { candle_core::bail!("there is no slot {}", self.slot) };
            seen.keys.slice_set(&key, 2, place)?;
            seen.values.slice_set(&value, 2, place)?;
            let seen = self.attend(seen, &query, mask.as_ref(), place + count)?;
            state = (state + layer.out.apply(&seen)?)?;

            let input = layer.before_feed.forward(&state)?;
            let fed = (layer.gate.apply(&input)?.silu()? * layer.up.apply(&input)?)?;
            state = (state + layer.down.apply(&fed)?)?;
        }
        state.narrow(0, count - 1, 1)
    }

    /// The scores of all tokens, by number, for what comes after the last token read.
    pub(crate) fn scores(&self, state: &Tensor) -> Result<Vec<f32>> {
        self.output.of(&self.last.forward(state)?)?.flatten_all()?.to_dtype(DType::F32)?.to_vec1()
    }

    /// What each head sees of the first `total` tokens. `query` is `[1, heads, tokens, width]`; so that keys and values are
    /// not copied for each head, the heads of a group ask as if they were more tokens.
    fn attend(&self, seen: &Seen, query: &Tensor, mask: Option<&Tensor>, total: usize) -> Result<Tensor> {
        let Heads { count, groups, width } = self.heads;
        let tokens = query.dim(2)?;
        let rows = count / groups * tokens;
        let query = (query.reshape((groups, rows, width))? * (1.0 / (width as f64).sqrt()))?;
        let keys = seen.keys.narrow(2, 0, total)?.squeeze(0)?;
        let values = seen.values.narrow(2, 0, total)?.squeeze(0)?;
        let mut weights = query.matmul(&keys.t()?)?;
        if let Some(mask) = mask {
            weights = weights.reshape((count, tokens, total))?.broadcast_add(mask)?;
        }
        let weights = softmax_last_dim(&weights)?.reshape((groups, rows, total))?;
        let seen = weights.matmul(&values)?;
        seen.reshape((count, tokens, width))?.transpose(0, 1)?.contiguous()?.reshape((tokens, count * width))
    }
}

/// `[tokens, heads * width]` as `[1, heads, tokens, width]`.
fn by_head(numbers: &Tensor, heads: usize, width: usize) -> Result<Tensor> {
    numbers.reshape((1, numbers.dim(0)?, heads, width))?.transpose(1, 2)?.contiguous()
}

/// What keeps `count` tokens from `place` on from seeing what comes after them: `[count, place + count]`, 0 or minus
/// infinity.
fn mask(count: usize, place: usize) -> Result<Tensor> {
    let row =
        |token: usize| (0..place + count).map(move |other| if other > place + token { f32::NEG_INFINITY } else { 0.0 });
    Tensor::from_iter((0..count).flat_map(row), &Device::Cpu)?.reshape((count, place + count))
}

/// Cosines and sines of each place's rotations: `[context, width / 2]`.
fn rotations(width: usize, base: f32, context: usize) -> Result<(Tensor, Tensor)> {
    let speeds: Vec<f32> = (0..width).step_by(2).map(|n| base.powf(-(n as f32) / width as f32)).collect();
    let angle = |place: usize| speeds.iter().map(move |speed| place as f32 * speed);
    let angles = Tensor::from_iter((0..context).flat_map(angle), &Device::Cpu)?.reshape((context, width / 2))?;
    Ok((angles.cos()?, angles.sin()?))
}

/// Reads tensors.
struct Reader<'a> {
    weights: &'a mut Weights,
    epsilon: f64,
}

impl Reader<'_> {
    fn has(&self, name: &str) -> bool {
        self.weights.content.tensor_infos.contains_key(name)
    }

    fn tensor(&mut self, name: &str) -> Result<QTensor> {
        self.weights.content.tensor(&mut self.weights.reader, name, &Device::Cpu)
    }

    fn vector(&mut self, name: &str) -> Result<Tensor> {
        self.tensor(name)?.dequantize(&Device::Cpu)
    }

    fn norm(&mut self, name: &str) -> Result<RmsNorm> {
        Ok(RmsNorm::new(self.vector(name)?, self.epsilon))
    }

    fn linear(&mut self, name: &str) -> Result<Linear> {
        let weight = Product::new(self.tensor(&format!("{name}.weight"))?)?;
        let bias = format!("{name}.bias");
        let bias = if self.has(&bias) { Some(self.vector(&bias)?) } else { None };
        Ok(Linear { weight, bias })
    }

    fn layer(&mut self, number: usize, heads: Heads, context: usize) -> std::result::Result<Layer, Unfit> {
        let name = |part: &str| format!("blk.{number}.{part}");
        // Memory that is not written yet is not taken from the system: a long context costs nothing until it is used.
        let empty = || Tensor::zeros((1, heads.groups, context, heads.width), DType::F32, &Device::Cpu);
        let layer = Layer {
            before_attention: self.norm(&name("attn_norm.weight"))?,
            query: self.linear(&name("attn_q"))?,
            key: self.linear(&name("attn_k"))?,
            value: self.linear(&name("attn_v"))?,
            out: self.linear(&name("attn_output"))?,
            before_feed: self.norm(&name("ffn_norm.weight"))?,
            gate: self.linear(&name("ffn_gate"))?,
            up: self.linear(&name("ffn_up"))?,
            down: self.linear(&name("ffn_down"))?,
            seen: (0..SLOTS).map(|_| Ok(Seen { keys: empty()?, values: empty()? })).collect::<Result<_>>()?,
        };
        Ok(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_sees_itself_and_what_came_before() {
        let rows: Vec<Vec<f32>> = mask(2, 1).unwrap().to_vec2().unwrap();
        assert_eq!(rows, [vec![0.0, 0.0, f32::NEG_INFINITY], vec![0.0, 0.0, 0.0]]);
    }

    #[test]
    fn the_first_place_is_not_turned() {
        let (cosines, sines) = rotations(4, 10_000.0, 2).unwrap();
        assert_eq!(cosines.to_vec2::<f32>().unwrap()[0], [1.0, 1.0]);
        assert_eq!(sines.to_vec2::<f32>().unwrap()[0], [0.0, 0.0]);
        assert!((sines.to_vec2::<f32>().unwrap()[1][1] - 0.01).abs() < 1e-6);
    }
}
