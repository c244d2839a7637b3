//! One pass over an authority run's rows. A row of `results.jsonl` has some 1,500 bytes; what is kept of it here has some
//! thirty: which history it is about, and what became of it.

use super::error::{GatherError, Place};
use super::grid::{Grid, compare, in_order};
use super::labels::Labelling;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use weir_memory::facts::{Facts, FirstAction, ModelWord, Module, Retention, SourceKept};
use weir_memory::{Authority, Partition, Side};
use weir_suite::{Manifest, Row};

/// A writer, with what it reads and how it writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Writer {
    /// Its name.
    pub name: String,
    /// `full` or `native`.
    pub view: String,
    /// `rules` or `model`.
    pub method: String,
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} view, {}", self.name, self.view, self.method)
    }
}

/// A cell of the grid: what was done to every history.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Module A.
    Writing {
        /// Who writes.
        writer: Writer,
    },
    /// Module B.
    Acting {
        /// The condition's key.
        condition: String,
        /// The acting model.
        model: String,
    },
    /// Module C.
    Pipeline {
        /// Who writes.
        writer: Writer,
        /// The arm's key.
        arm: String,
        /// The acting model.
        model: String,
    },
}

impl Group {
    /// The cell of a row of an authority run.
    ///
    /// # Errors
    /// Where the row lacks what its module has.
    pub fn of(row: &Row) -> Result<Self, GatherError> {
        let facts = row.memory.as_ref();
        Self::with(row, facts.ok_or_else(|| GatherError::Lacks { unit: row.unit.clone(), what: "memory" })?)
    }

    fn with(row: &Row, facts: &Facts) -> Result<Self, GatherError> {
        let lacks = |what| GatherError::Lacks { unit: row.unit.clone(), what };
        let writer = || {
            Ok(Writer {
                name: facts.writer.clone().ok_or_else(|| lacks("writer"))?,
                view: facts.view.clone().ok_or_else(|| lacks("view"))?,
                method: facts.method.clone().ok_or_else(|| lacks("method"))?,
            })
        };
        let condition = || facts.condition.clone().ok_or_else(|| lacks("condition"));
        Ok(match facts.module {
            Module::Writing => Group::Writing { writer: writer()? },
            Module::Acting => Group::Acting { condition: condition()?, model: row.model.clone() },
            Module::Pipeline => Group::Pipeline { writer: writer()?, arm: condition()?, model: row.model.clone() },
        })
    }

    /// Its part of the benchmark.
    #[must_use]
    pub fn module(&self) -> Module {
        match self {
            Group::Writing { .. } => Module::Writing,
            Group::Acting { .. } => Module::Acting,
            Group::Pipeline { .. } => Module::Pipeline,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module {}, ", self.module().letter())?;
        match self {
            Group::Writing { writer } => write!(f, "writer `{writer}`"),
            Group::Acting { condition, model } => write!(f, "condition `{condition}`, model `{model}`"),
            Group::Pipeline { writer, arm, model } => write!(f, "writer `{writer}`, arm `{arm}`, model `{model}`"),
        }
    }
}

/// A pair of histories.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) stage: String,
    /// Domain and base: the independent case of every statistic.
    pub(crate) cluster: String,
    pub(crate) name: String,
    pub(crate) domain: String,
    pub(crate) transition: String,
    pub(crate) partition: Partition,
}

/// What became of one history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Its pair's place.
    pub(crate) pair: u32,
    pub(crate) side: Side,
    pub(crate) seed: u64,
    pub(crate) retention: Option<Retention>,
    pub(crate) source: Option<SourceKept>,
    pub(crate) model_word: Option<ModelWord>,
    pub(crate) action: Option<FirstAction>,
    /// A policy failed in it.
    pub(crate) faulted: bool,
}

impl Cell {
    fn key(&self) -> (u32, Side, u64) {
        (self.pair, self.side, self.seed)
    }
}

/// What the labels of one writer and arm came to, history by history.
type Labelled = BTreeMap<(u32, Side), Labelling>;

/// A run, ready for tables.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) rows: usize,
    /// In the order of stages, bases and names.
    pub(crate) pairs: Vec<Pair>,
    groups: BTreeMap<Group, Vec<Cell>>,
    labels: BTreeMap<(Writer, String), Labelled>,
    /// Gold labels of focal memories, by stage, transition and side.
    gold: BTreeMap<(String, String, Side), BTreeSet<Authority>>,
    simulated: BTreeMap<String, bool>,
    grid: Grid,
}

impl Gathered {
    /// Reads all rows of a run, and refuses those that cannot be aggregated.
    pub(crate) fn of<E: fmt::Display>(
        manifest: &Manifest,
        rows: impl IntoIterator<Item = Result<Row, E>>,
    ) -> Result<Self, GatherError> {
        let grid = Grid::of(manifest)?;
        let mut gathered = Gathered {
            rows: 0,
            pairs: Vec::new(),
            groups: grid.expected.iter().map(|group| (group.clone(), Vec::new())).collect(),
            labels: BTreeMap::new(),
            gold: BTreeMap::new(),
            simulated: BTreeMap::new(),
            grid,
        };
        let mut known = BTreeMap::new();
        for row in rows {
            gathered.add(&mut known, &row.map_err(|e| GatherError::Unreadable(e.to_string()))?)?;
        }
        if gathered.rows != manifest.units {
            return Err(GatherError::Incomplete { rows: gathered.rows, units: manifest.units });
        }
        gathered.sort();
        gathered.complete()?;
        Ok(gathered)
    }

    fn add(&mut self, known: &mut BTreeMap<[String; 3], u32>, row: &Row) -> Result<(), GatherError> {
        let lacks = |what| GatherError::Lacks { unit: row.unit.clone(), what };
        let facts = row.memory.as_ref().ok_or_else(|| lacks("memory"))?;
        let pair = self.pair(known, row, facts)?;
        let seed = row.seed.unwrap_or(0);
        let group = Group::with(row, facts)?;
        let writer_error = facts.retention == Some(Retention::WriterError);
        match facts.module {
            Module::Writing | Module::Pipeline if facts.retention.is_none() => return Err(lacks("retention")),
            Module::Acting | Module::Pipeline if facts.action.is_none() => return Err(lacks("action")),
            _ => {}
        }
        if let Group::Acting { model, .. } | Group::Pipeline { model, .. } = &group {
            self.simulated.entry(model.clone()).and_modify(|all| *all &= row.simulated).or_insert(row.simulated);
        }
        if let Group::Pipeline { writer, arm, model } = &group {
            let seen = self.labels.entry((writer.clone(), arm.clone())).or_default();
            Labelling::of(&facts.labels, model, seed).merge(seen.entry((pair, facts.side)));
        }
        for label in facts.labels.iter().filter(|label| label.focal && facts.module == Module::Acting) {
            let key = (row.stage.clone(), facts.transition.clone(), facts.side);
            self.gold.entry(key).or_default().insert(label.gold);
        }
        self.groups.entry(group).or_default().push(Cell {
            pair,
            side: facts.side,
            seed,
            retention: facts.retention,
            source: facts.source_kept,
            model_word: facts.model_word,
            action: facts.action,
            // A failed writer leaves one fault in the trace, which is no policy's.
            faulted: row.faults > u32::from(writer_error),
        });
        self.rows += 1;
        Ok(())
    }

    fn pair(&mut self, known: &mut BTreeMap<[String; 3], u32>, row: &Row, facts: &Facts) -> Result<u32, GatherError> {
        let pair = Pair {
            stage: row.stage.clone(),
            cluster: row.cluster.clone(),
            name: facts.pair.clone(),
            domain: row.domain.clone(),
            transition: facts.transition.clone(),
            partition: facts.partition,
        };
        let key = [pair.stage.clone(), pair.domain.clone(), pair.name.clone()];
        if let Some(&place) = known.get(&key) {
            return if self.pairs.get(index(place)) == Some(&pair) {
                Ok(place)
            } else {
                Err(GatherError::Contradiction { unit: row.unit.clone(), pair: pair.name })
            };
        }
        let place = u32::try_from(self.pairs.len()).unwrap_or(u32::MAX);
        self.pairs.push(pair);
        known.insert(key, place);
        Ok(place)
    }

    /// Gives pairs and cells an order of their own, so that rows in any order give the same report.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.pairs.len()).collect();
        order.sort_by(|one, other| self.pairs.get(*one).cmp(&self.pairs.get(*other)));
        let mut moved = vec![0; order.len()];
        for (to, &from) in (0_u32..).zip(&order) {
            if let Some(slot) = moved.get_mut(from) {
                *slot = to;
            }
        }
        let place = |pair: u32| moved.get(index(pair)).copied().unwrap_or(pair);
        self.pairs.sort();
        for cells in self.groups.values_mut() {
            cells.iter_mut().for_each(|cell| cell.pair = place(cell.pair));
            cells.sort_by_key(Cell::key);
            cells.shrink_to_fit();
        }
        for seen in self.labels.values_mut() {
            let old = std::mem::take(seen);
            *seen = old.into_iter().map(|((pair, side), labels)| ((place(pair), side), labels)).collect();
        }
    }

    /// Every group has every history of its stages, under every seed of its module, once.
    fn complete(&self) -> Result<(), GatherError> {
        for module in [Module::Writing, Module::Acting, Module::Pipeline] {
            let groups = || self.groups.iter().filter(|(group, _)| group.module() == module);
            let cells = || groups().flat_map(|(_, cells)| cells);
            let seeds: BTreeSet<u64> = cells().map(|cell| cell.seed).collect();
            let stages: BTreeSet<&str> = cells().filter_map(|cell| Some(self.at(cell)?.stage.as_str())).collect();
            for (group, cells) in groups() {
                if let Some([twice, _]) = cells.array_windows().find(|[a, b]| a.key() == b.key()) {
                    return Err(GatherError::Twice(self.place(group, twice.key())));
                }
                let sides: &[Side] = match group {
                    // The null control is about attacks: it may be run on H- alone.
                    Group::Acting { condition, .. }
                        if self.grid.null.contains(condition)
                            && cells.iter().all(|cell| cell.side == Side::Negative) =>
                    {
                        &[Side::Negative]
                    }
                    _ => &[Side::Negative, Side::Positive],
                };
                let mut have = cells.iter().map(Cell::key).peekable();
                for (pair, _) in (0_u32..).zip(&self.pairs).filter(|(_, pair)| stages.contains(pair.stage.as_str())) {
                    for side in sides {
                        for seed in &seeds {
                            let wanted = (pair, *side, *seed);
                            if have.next_if_eq(&wanted).is_none() {
                                return Err(GatherError::Missing(self.place(group, wanted)));
                            }
                        }
                    }
                }
            }
            // Without any row there are no seeds to miss one of.
            if let Some((group, _)) = groups().find(|_| seeds.is_empty()) {
                return Err(GatherError::Missing(self.place(group, (0, Side::Negative, 0))));
            }
        }
        Ok(())
    }

    fn place(&self, group: &Group, (pair, side, seed): (u32, Side, u64)) -> Box<Place> {
        let pair = self.pairs.get(index(pair));
        Box::new(Place {
            group: group.clone(),
            stage: pair.map(|pair| pair.stage.clone()).unwrap_or_default(),
            pair: pair.map(|pair| format!("{}/{}", pair.domain, pair.name)).unwrap_or_default(),
            side,
            seed,
        })
    }

    /// A cell's pair.
    pub(crate) fn at(&self, cell: &Cell) -> Option<&Pair> {
        self.pairs.get(index(cell.pair))
    }

    /// What was done to every history, in the order of modules and names.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (&Group, &[Cell])> {
        self.groups.iter().map(|(group, cells)| (group, cells.as_slice()))
    }

    /// The histories of a group; none where the run has no such group.
    pub(crate) fn cells(&self, group: &Group) -> &[Cell] {
        self.groups.get(group).map(Vec::as_slice).unwrap_or_default()
    }

    /// Stages: the paper's first, then by name.
    pub(crate) fn stages(&self) -> Vec<String> {
        let known = [super::names::STAGE.to_owned()];
        in_order(&known, self.pairs.iter().map(|pair| pair.stage.clone()))
    }

    /// Writers of a module: in full view first, in the order of the suite.
    pub(crate) fn writers(&self, module: Module) -> Vec<Writer> {
        let mut writers: Vec<Writer> = Vec::new();
        for group in self.groups.keys().filter(|group| group.module() == module) {
            let (Group::Writing { writer } | Group::Pipeline { writer, .. }) = group else { continue };
            if !writers.contains(writer) {
                writers.push(writer.clone());
            }
        }
        writers.sort_by(|one, other| {
            let name = compare(&self.grid.writers, &one.name, &other.name);
            one.view.cmp(&other.view).then(name).then_with(|| one.method.cmp(&other.method))
        });
        writers
    }

    /// Conditions of Module B in the order of the suite, the null control included.
    pub(crate) fn conditions(&self) -> Vec<String> {
        let of = |group: &Group| match group {
            Group::Acting { condition, .. } => Some(condition.clone()),
            _ => None,
        };
        in_order(&self.grid.conditions, self.groups.keys().filter_map(of))
    }

    /// Whether a condition is the null control.
    pub(crate) fn is_null(&self, condition: &str) -> bool {
        self.grid.null.iter().any(|key| key == condition)
    }

    /// Arms of Module C, in the order of the suite.
    pub(crate) fn arms(&self) -> Vec<String> {
        let of = |group: &Group| match group {
            Group::Pipeline { arm, .. } => Some(arm.clone()),
            _ => None,
        };
        in_order(&self.grid.arms, self.groups.keys().filter_map(of))
    }

    /// Acting models of a module, in the order of the suite.
    pub(crate) fn models(&self, module: Module) -> Vec<String> {
        let of = |group: &Group| match group {
            Group::Acting { model, .. } | Group::Pipeline { model, .. } => Some(model.clone()),
            Group::Writing { .. } => None,
        };
        in_order(&self.grid.models, self.groups.keys().filter(|group| group.module() == module).filter_map(of))
    }

    /// A model, with the word that it is simulated.
    pub(crate) fn model_name(&self, model: &str) -> String {
        if self.is_simulated(model) { format!("{model} (simulated)") } else { model.to_owned() }
    }

    /// Whether no language model was asked.
    pub(crate) fn is_simulated(&self, model: &str) -> bool {
        self.simulated.get(model).copied().unwrap_or(false)
    }

    /// Every acting model.
    pub(crate) fn all_models(&self) -> impl Iterator<Item = &str> {
        self.simulated.keys().map(String::as_str)
    }

    /// The labels of a writer and arm, history by history.
    pub(crate) fn labels(&self, writer: &Writer, arm: &str) -> impl Iterator<Item = (&Pair, &Labelling)> {
        let seen = self.labels.get(&(writer.clone(), arm.to_owned()));
        seen.into_iter().flatten().filter_map(|((pair, _), labels)| Some((self.pairs.get(index(*pair))?, labels)))
    }

    /// Gold labels of a stage's focal memories, by transition and side.
    pub(crate) fn gold(&self, stage: &str, transition: &str, side: Side) -> Vec<Authority> {
        let key = (stage.to_owned(), transition.to_owned(), side);
        self.gold.get(&key).into_iter().flatten().copied().collect()
    }
}

fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
