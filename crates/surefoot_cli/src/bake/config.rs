//! Provides [`Config`]: the configuration file, with the settings of `bake` under the same names.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Deserialize;
use surefoot::Agent;
use surefoot_bake::scene::SceneMarks;
use surefoot_bake::{BakeSettings, LinkCosts};

use super::link_spec::LinkSpec;
use super::specs::{AgentSpec, AreaSpec};
use super::volume_spec::VolumeSpec;
use crate::shared::{files, toml_file};

/// A configuration file. The command line overrides it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub output: Option<PathBuf>,
    pub cell_size: Option<f32>,
    pub bounds: Option<[f32; 4]>,
    pub min_region_area: Option<f32>,
    agents: Option<Vec<AgentSpec>>,
    pub link_costs: LinkCosts,
    two_sided: Vec<String>,
    ignore: Vec<String>,
    obstacle: Vec<String>,
    areas: Vec<AreaSpec>,
    volumes: Vec<VolumeSpec>,
    links: Vec<LinkSpec>,
    visual_meshes: bool,
    pub routes: bool,
    pub memory_limit: Option<f32>,
    pub threads: Option<u16>,
    pub png: Option<PathBuf>,
}

impl Config {
    /// Reads a file. Paths in it are relative to the folder of the file.
    ///
    /// # Errors
    /// The file cannot be read, or a setting is not valid: the file, the line and the key.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = files::read_text(path, "check --config")?;
        let mut config: Config = toml_file::parse(path, &text)?;
        config.check().with_context(|| path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for path in [&mut config.output, &mut config.png].into_iter().flatten() {
            *path = folder.join(&path);
        }
        Ok(config)
    }

    /// Reads the settings that a world file has of its own, in its table `[bake]`.
    ///
    /// # Errors
    /// A setting is not valid: the file and the key.
    pub fn of_world(file: &Path, table: &toml::Table) -> anyhow::Result<Self> {
        let place = || format!("{}: [bake]", file.display());
        let config: Config = table.clone().try_into().with_context(place)?;
        config.check().with_context(place)?;
        Ok(config)
    }

    /// The agents, if the file lists any.
    pub fn agents(&self) -> Option<Vec<Agent>> {
        let agents = self.agents.as_ref()?;
        Some(agents.iter().cloned().map(AgentSpec::agent).collect())
    }

    /// The marks of nodes.
    pub fn marks(&self) -> SceneMarks {
        SceneMarks {
            ignore: self.ignore.clone(),
            obstacle: self.obstacle.clone(),
            two_sided: self.two_sided.clone(),
            areas: self.areas.iter().cloned().map(AreaSpec::mark).collect(),
            volumes: self.volumes.iter().cloned().map(VolumeSpec::mark).collect(),
            links: self.links.iter().flat_map(LinkSpec::markers).cloned().collect(),
            visual_meshes: self.visual_meshes,
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        let threads = self.threads.unwrap_or(1);
        ensure!((1..=1024).contains(&threads), "threads is {threads}; it must be from 1 to 1024");
        self.memory_limit.map(limit_bytes).transpose()?;
        let agents = self.agents().unwrap_or_else(Agent::default_set);
        let nameless = agents.iter().any(|agent| agent.name.trim().is_empty());
        ensure!(!nameless, "an agent has no name; add one, such as name = \"human\"");
        let (cell_size, bounds) = (self.cell_size, self.bounds);
        let min_region_area = self.min_region_area.unwrap_or(0.0);
        let (link_costs, default) = (self.link_costs, BakeSettings::default());
        BakeSettings { cell_size, bounds, agents, min_region_area, link_costs, ..default }
            .check()?;
        Ok(self.marks().check()?)
    }
}

/// Converts a memory limit from GiB to bytes.
///
/// # Errors
/// The limit is not greater than 0.
pub fn limit_bytes(limit: f32) -> anyhow::Result<u64> {
    ensure!(limit > 0.0, "the memory limit is {limit} GiB; it must be more than 0");
    Ok((f64::from(limit) * f64::from(1 << 30)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_bake::scene::VolumeShape;

    fn check(text: &str, message: &str) {
        let found = toml_file::parse::<Config>(Path::new("bake.toml"), text).unwrap_err();
        let found = found.to_string();
        assert!(found.starts_with(message), "{found}");
    }

    #[test]
    fn errors_name_the_line_and_the_key() {
        check("\ncellsize = 1", "bake.toml: line 2: unknown field `cellsize`, expected one of");
        check("[[agents]]\nname = 'a'\ngirth = 1", "bake.toml: line 3: unknown field `girth`");
        check("[[areas]]\nname = 'a'\nnodes = 'b'\ncost = 'x'", "bake.toml: line 4: invalid value");
        check("bounds = [1, 2]", "bake.toml: line 1: invalid length 2");
        check("a = [", "bake.toml: line 1: ");
    }

    #[test]
    fn the_links_of_real_levels_are_configurations() {
        for level in ["quake_dm2", "quake_e1m1", "quake_start"] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let config = Config::read(&root.join(format!("benches/links/{level}.toml")));
            assert!(!config.expect("a configuration").marks().links.is_empty(), "{level}");
        }
    }

    #[test]
    fn every_key_is_read() {
        let text = "
            output = 'a.navgrid'\ncell_size = 1\nbounds = [-1, 0.5, 2, 3]\nthreads = 2
            two_sided = ['a']\nignore = ['b']\nobstacle = ['c']\nvisual_meshes = true
            link_costs.drop = { base = 1, per_metre = 2, per_rise = 3 }
            memory_limit = 0.5\npng = 'pictures'\nroutes = true\nmin_region_area = 1.5
            agents = [{ name = 'box', radius = 1, slope_limit = 30, shape = 'box' }]
            areas = [{ name = 'mud', nodes = 'm*', cost = 2 }, { name = 'lava', nodes = 'l*', cost = 'forbidden' }]
            volumes = [{ name = 'camp', sphere = { center = [0, 1, 2], radius = 3 }, area = 'mud', cost = 2 }]
            links = [{ name = 'gap', from = [0, 1, 2], to = [0, 1, 5], kind = 'jump' }]";
        let config: Config = toml::from_str(text).unwrap();
        assert_eq!(config.bounds, Some([-1.0, 0.5, 2.0, 3.0]));
        assert_eq!(config.agents().unwrap()[0].slope_limit, 30f32.to_radians());
        assert_eq!(config.link_costs.drop.per_rise, 3.0);
        assert_eq!(config.link_costs.jump, LinkCosts::default().jump);
        let marks = config.marks().areas;
        assert_eq!((marks[0].cost, marks[1].forbidden), (Some(2.0), true));
        assert_eq!(config.min_region_area, Some(1.5));
        let volume = &config.marks().volumes[0];
        let shape = VolumeShape::Sphere { center: [0.0, 1.0, 2.0].into(), radius: 3.0 };
        assert_eq!((&volume.shape, volume.cost), (&shape, Some(2.0)));
        assert_eq!(config.marks().links[0].to.z, 5.0);
    }
}
